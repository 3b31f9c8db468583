import Synchronization

/// The keys that encrypt the tickets of one account; they exist only in memory.
///
/// Each key encrypts tickets for a day, and decrypts tickets for one more day. A new key is made when the first ticket
/// of a day is encrypted, so no timer is needed.
final class TicketKeys: Sendable {
    /// A key for tickets; each ticket contains the unencrypted name of its key.
    struct Key: Sendable {
        let name: [UInt8]
        /// The AES-256 key.
        let encryption: SecretBytes
        /// The HMAC-SHA256 key.
        let authentication: SecretBytes
        /// The number of the day on which the key encrypts tickets.
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
        /// The tickets with this key that were already shown; the first bytes of the authentication code identify a
        /// ticket.
        var usedTickets: Set<UInt64> = []
    }

    /// The largest number of used tickets that are remembered for one key.
    ///
    /// Further tickets count as already used. Then their clients have to wait for their turn, like clients without a
    /// ticket.
    private static let usedTicketLimit = 8192

    /// The keys, the newest first; there are at most two.
    private let entries = Mutex<[Entry]>([])

    /// Returns the number of the UTC day that contains a time, counted from 1 January 1970.
    private static func day(of time: Int64) -> Int64 { Int64((Double(time) / 86_400).rounded(.down)) }

    /// Returns the key that encrypts tickets at a time, in seconds since 1970.
    func encryptionKey(at time: Int64) throws(SecurityError) -> Key {
        let day = Self.day(of: time)
        return try entries.withLock { (entries) throws(SecurityError) in
            if let entry = entries.first, entry.key.day == day { return entry.key }
            let key = try Key(day: day)
            entries = [Entry(key: key)] + entries.prefix(1)
            return key
        }
    }

    /// Returns the key with this name; nil if there is none, or if it can no longer be used to decrypt tickets.
    func key(named name: [UInt8], at time: Int64) -> Key? {
        let day = Self.day(of: time)
        return entries.withLock { entries in
            entries.first { $0.key.name == name && abs(day - $0.key.day) <= 1 }?.key
        }
    }

    /// Returns whether this server made the ticket and sees it for the first time; marks the ticket as used.
    ///
    /// A ticket is sent encrypted to its client. So the first client that shows the ticket is the member that the
    /// server gave it to. Somebody who copies the ticket from the network can only be second.
    func isFresh(_ ticket: [UInt8], at time: Int64) -> Bool {
        // OpenSSL appends an authentication code that covers all bytes before it (RFC 5077, section 4).
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
