/// The name of an account on this machine, which its folder has; other machines may use other names.
///
/// A name can't lead out of that folder, so a caller that has one need not check it again.
package struct AccountName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The name as it is typed.
    package let text: String

    /// The most characters of a name.
    package static let lengthMost = 32

    /// Takes letters of ASCII, digits, `-` and `_`, and refuses everything else.
    package init(_ text: String) throws(LocalFailure) {
        guard Self.isName(text) else {
            throw LocalFailure(
                .usage,
                "“\(text)” can't be the name of an account: it has letters (a to z), digits, `-` and `_`, and at most"
                    + " \(Self.lengthMost) of them.")
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

    /// Returns the names among those of folders, in order; other folders are ignored.
    package static func names(among folders: [String]) -> [AccountName] {
        folders.filter(isName).map(AccountName.init(known:)).sorted()
    }

    /// The name of an account for which no other name was chosen.
    package static let usual = AccountName(known: "default")

    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }

    package var description: String { text }
}
