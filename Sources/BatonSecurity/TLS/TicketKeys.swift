import Synchronization

/// The keys under which one account's tickets are sealed; they live in memory alone.
///
/// Each is used for a day, and opens what it sealed for one more. Nothing wakes up for that: a key is replaced when
/// the next ticket is sealed.
final class TicketKeys: Sendable {
    /// A key: its name stands on the ticket.
    struct Key: Sendable {
        let name: [UInt8]
        /// For AES-256.
        let encryption: SecretBytes
        /// For HMAC-SHA256.
        let authentication: SecretBytes
        /// The number of the day on which it is used.
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
        /// The tickets of the key that were shown, by the first bytes of their authentication codes.
        var usedTickets: Set<UInt64> = []
    }

    /// How many shown tickets of one key are remembered.
    ///
    /// Tickets beyond it count as shown before, so their clients wait their turn like anyone else.
    private static let usedTicketLimit = 8192

    /// The newest first; at most two.
    private let entries = Mutex<[Entry]>([])

    /// The key to seal with at a time, in seconds since 1970.
    func encryptionKey(at time: Int64) throws(SecurityError) -> Key {
        let day = HintKey.day(of: time)
        return try entries.withLock { (entries) throws(SecurityError) in
            if let entry = entries.first, entry.key.day == day { return entry.key }
            let key = try Key(day: day)
            entries = [Entry(key: key)] + entries.prefix(1)
            return key
        }
    }

    /// The key of that name, if it still opens tickets.
    func key(named name: [UInt8], at time: Int64) -> Key? {
        let day = HintKey.day(of: time)
        return entries.withLock { entries in
            entries.first { $0.key.name == name && abs(day - $0.key.day) <= 1 }?.key
        }
    }

    /// Whether the ticket was sealed here and is shown for the first time.
    ///
    /// It counts as shown afterwards. Tickets travel to their owners encrypted, so whoever shows one first is the member
    /// that it was given to. Anybody who saw it on the wire comes second.
    func isFresh(_ ticket: [UInt8], at time: Int64) -> Bool {
        // OpenSSL puts the code of all that stands before it at the end (RFC 5077, section 4).
        let sealedCount = ticket.count - Cryptography.digestByteCount
        guard sealedCount > Key.nameByteCount,
            let key = key(named: Array(ticket.prefix(Key.nameByteCount)), at: time),
            let sealed = try? SecretBytes(copying: ticket.prefix(sealedCount)),
            let code = try? Cryptography.authenticate(sealed, with: key.authentication),
            Cryptography.areEqual(code, Array(ticket.suffix(Cryptography.digestByteCount)))
        else { return false }
        let mark = code.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return entries.withLock { entries in
            guard let place = entries.firstIndex(where: { $0.key.name == key.name }),
                entries[place].usedTickets.count < Self.usedTicketLimit
            else { return false }
            return entries[place].usedTickets.insert(mark).inserted
        }
    }
}
