/// The name of an account on this machine, which is also the name of the account's folder.
///
/// Other machines may use other names for the same account. A name is always safe as a part of a path, so callers need
/// not check it again.
package struct AccountName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The name as a person types it.
    package let text: String

    /// The maximum number of characters in a name.
    package static let lengthMost = 32

    /// Creates a name; throws a failure unless the text consists of ASCII letters, digits, `-` and `_`.
    package init(_ text: String) throws(LocalFailure) {
        guard Self.isName(text) else {
            throw LocalFailure(
                .usage,
                "“\(text)” can't be the name of an account. A name consists of letters (a to z), digits, `-` and `_`,"
                    + " and has at most \(Self.lengthMost) characters.")
        }
        self.text = text
    }

    private init(known text: String) { self.text = text }

    private static func isName(_ text: String) -> Bool {
        (1...lengthMost).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                    || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }

    /// Returns those folder names that are valid names of accounts, sorted.
    package static func names(among folders: [String]) -> [AccountName] {
        folders.filter(isName).map(AccountName.init(known:)).sorted()
    }

    /// The name that an account gets if the person chooses none.
    package static let usual = AccountName(known: "default")

    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }

    package var description: String { text }
}
