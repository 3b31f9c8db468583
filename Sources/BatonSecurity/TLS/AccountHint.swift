import BatonCore
import Synchronization

/// A value by which a device shows that it knows an account, before either side has presented a certificate.
///
/// Clients send it as the TLS server name. It changes every day, so an observer can't follow the account for long.
/// Without the account's root, nobody can tell which account a hint belongs to, or make another one.
package struct AccountHint: Hashable, Sendable, CustomStringConvertible {
    /// The number of bytes of the authentication code that a hint contains.
    static let byteCount = 16

    /// The hint as text, a valid label of a host name.
    package let description: String

    /// Makes a hint from any text that a client sent; a text that is not a hint belongs to no account.
    package init(text: String) { description = text }

    /// Makes the hint that begins with these bytes.
    fileprivate init(code: [UInt8]) { description = Base32.encode(code.prefix(Self.byteCount)) }
}

/// The key from which an account's hints are derived.
///
/// It is derived from the root's public key, which only members know: that key is sent only to a joiner that has
/// proved that it knows the code.
package struct HintKey: Sendable {
    /// The number of days by which the clocks of two devices may differ.
    package static let toleratedDays: Int64 = 7

    private let key: SecretBytes

    package init(root: PublicKey) throws(SecurityError) {
        key = try Cryptography.derive(
            from: try SecretBytes(copying: root.der), salt: "baton/1", purpose: "hint")
    }

    /// Returns the hint at a time, in seconds since 1970.
    package func hint(at time: Int64) throws(SecurityError) -> AccountHint {
        try hint(onDay: Self.day(of: time))
    }

    /// Returns the number of the UTC day, counted from 1 January 1970.
    static func day(of time: Int64) -> Int64 { Int64((Double(time) / 86_400).rounded(.down)) }

    /// Returns the hint of one day.
    func hint(onDay day: Int64) throws(SecurityError) -> AccountHint {
        let message = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: day >> $0) }
        return AccountHint(
            code: try Cryptography.authenticate(try SecretBytes(copying: message), with: key))
    }
}

/// Finds the account that a hint belongs to.
///
/// This is the only place where hints are compared. The hints of all tolerated days are in a table, which is rebuilt at
/// the first look-up of another day.
package final class HintTable: Sendable {
    private let keys: [HintKey]
    private let table = Mutex(Table())

    private struct Table {
        var day: Int64?
        var indices: [AccountHint: Int] = [:]
    }

    /// Makes a table for the accounts that have these keys.
    package init(_ keys: [HintKey]) { self.keys = keys }

    /// Returns the index of the account's key if the hint is from a tolerated day; the time is in seconds since 1970.
    package func index(of hint: AccountHint, at time: Int64) throws(SecurityError) -> Int? {
        let day = HintKey.day(of: time)
        return try table.withLock { (table) throws(SecurityError) in
            if table.day != day { table = Table(day: day, indices: try indices(around: day)) }
            return table.indices[hint]
        }
    }

    private func indices(around day: Int64) throws(SecurityError) -> [AccountHint: Int] {
        var indices: [AccountHint: Int] = [:]
        for (index, key) in keys.enumerated() {
            for day in (day - HintKey.toleratedDays)...(day + HintKey.toleratedDays) {
                indices[try key.hint(onDay: day)] = index
            }
        }
        return indices
    }
}
