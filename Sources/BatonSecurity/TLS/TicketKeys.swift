import Synchronization

/// The keys that encrypt one account's tickets; they are kept only in memory.
///
/// Each key encrypts for a day, and decrypts for one more day. A new key is made when the first ticket of a day is
/// encrypted, so no timer is needed.
final class TicketKeys: Sendable {
    /// A ticket key; a ticket names it in clear text.
    struct Key: Sendable {
        let name: [UInt8]
        /// The AES-256 key.
        let encryption: SecretBytes
        /// The HMAC-SHA256 key.
        let authentication: SecretBytes
        /// The number of the day on which the key encrypts.
        let day: Int64

        static let nameByteCount = 16

        init(day: Int64) throws(SecurityError) {
            name = try Cryptography.randomBytes(count: Self.nameByteCount)
            (encryption, authentication) = (try .random(count: 32), try .random(count: 32))
            self.day = day
        }
    }

    private struct Entry {
        let key: Key
        /// The tickets of this key that were shown, identified by the first bytes of their authentication codes.
        var usedTickets: Set<UInt64> = []
    }

    /// The most used tickets that are remembered for one key.
    ///
    /// Further tickets count as already used, so their clients wait their turn like all others.
    private static let usedTicketLimit = 8192

    /// The keys, newest first; at most two.
    private let entries = Mutex<[Entry]>([])

    /// Returns the number of the UTC day, counted from 1 January 1970.
    private static func day(of time: Int64) -> Int64 { Int64((Double(time) / 86_400).rounded(.down)) }

    /// Returns the key to encrypt with at a time, in seconds since 1970.
    func encryptionKey(at time: Int64) throws(SecurityError) -> Key {
        let day = Self.day(of: time)
        return try entries.withLock { (entries) throws(SecurityError) in
            if let entry = entries.first, entry.key.day == day { return entry.key }
            let key = try Key(day: day)
            entries = [Entry(key: key)] + entries.prefix(1)
            return key
        }
    }

    /// Returns the key of that name if it can still decrypt tickets.
    func key(named name: [UInt8], at time: Int64) -> Key? {
        let day = Self.day(of: time)
        return entries.withLock { entries in
            entries.first { $0.key.name == name && abs(day - $0.key.day) <= 1 }?.key
        }
    }

    /// Returns whether this server made the ticket and sees it for the first time, and marks it as used.
    ///
    /// Tickets are sent to clients encrypted, so the first one to show a ticket is the member that it was given to. An
    /// observer who copied it comes second.
    func isFresh(_ ticket: [UInt8], at time: Int64) -> Bool {
        // OpenSSL appends the authentication code of everything before it (RFC 5077, section 4).
        let sealedCount = ticket.count - Cryptography.digestByteCount
        guard sealedCount > Key.nameByteCount,
            let key = key(named: Array(ticket.prefix(Key.nameByteCount)), at: time),
            let sealed = try? SecretBytes(copying: ticket.prefix(sealedCount)),
            let code = try? Cryptography.authenticate(sealed, with: key.authentication),
            Cryptography.areEqual(code, Array(ticket.suffix(Cryptography.digestByteCount)))
        else { return false }
        let mark = code.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.key.name == key.name }),
                entries[index].usedTickets.count < Self.usedTicketLimit
            else { return false }
            return entries[index].usedTickets.insert(mark).inserted
        }
    }
}
