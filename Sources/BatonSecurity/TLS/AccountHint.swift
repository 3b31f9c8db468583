import BatonCore
import Synchronization

/// How a device shows that it knows an account, before either side has shown a certificate: the TLS server name of a
/// client, and what a node announces of itself.
///
/// It names a day, so whoever sees one can't follow the account for long; and nobody who does not know the account's
/// root can tell which account it belongs to, or make another.
package struct AccountHint: Hashable, Sendable, CustomStringConvertible {
    /// How many bytes of the authentication code it has.
    static let byteCount = 16

    /// Its text: a label that is valid in the names of hosts.
    package let description: String

    /// Reads one that was told, whatever it is: one that is none belongs to no account.
    package init(text: String) { description = text }

    /// The hint that begins with these bytes.
    fileprivate init(code: [UInt8]) { description = Base32.encode(code.prefix(Self.byteCount)) }
}

/// What the hints of one account are made with.
///
/// The root's public key is known to members alone: it is never sent but to a joiner that has proved itself.
package struct HintKey: Sendable {
    /// How many days the clocks of two devices may be apart.
    package static let toleratedDays: Int64 = 7

    private let key: SecretBytes

    package init(root: PublicKey) throws(SecurityError) {
        key = try Cryptography.derive(
            from: try SecretBytes(copying: root.der), salt: "baton/1", purpose: "hint")
    }

    /// The hint of the day of a time, in seconds since 1970.
    package func hint(at time: Int64) throws(SecurityError) -> AccountHint {
        try hint(onDay: Self.day(of: time))
    }

    /// The number of the day, counted in UTC from the first of January 1970.
    static func day(of time: Int64) -> Int64 { Int64((Double(time) / 86_400).rounded(.down)) }

    /// The hint of one day.
    func hint(onDay day: Int64) throws(SecurityError) -> AccountHint {
        let message = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: day >> $0) }
        return AccountHint(
            code: try Cryptography.authenticate(try SecretBytes(copying: message), with: key))
    }
}

/// Whose hint one is, among several accounts; the only place where hints are compared.
///
/// The hints of all days that are taken now stand in a table, which is made anew when somebody asks on another day.
package final class HintTable: Sendable {
    private let keys: [HintKey]
    private let table = Mutex(Table())

    private struct Table {
        var day: Int64?
        var places: [AccountHint: Int] = [:]
    }

    /// A table of the accounts that have these keys.
    package init(_ keys: [HintKey]) { self.keys = keys }

    /// The place of the account's key, if the hint is one of these days; the time is in seconds since 1970.
    package func index(of hint: AccountHint, at time: Int64) throws(SecurityError) -> Int? {
        let day = HintKey.day(of: time)
        return try table.withLock { (table) throws(SecurityError) in
            if table.day != day { table = Table(day: day, places: try places(around: day)) }
            return table.places[hint]
        }
    }

    private func places(around day: Int64) throws(SecurityError) -> [AccountHint: Int] {
        var places: [AccountHint: Int] = [:]
        for (place, key) in keys.enumerated() {
            for day in (day - HintKey.toleratedDays)...(day + HintKey.toleratedDays) {
                places[try key.hint(onDay: day)] = place
            }
        }
        return places
    }
}
