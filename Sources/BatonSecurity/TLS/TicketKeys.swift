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

    /// The newest first; two at the most.
    private let keys = Mutex<[Key]>([])

    /// The key to seal with at a time, in seconds since 1970.
    func sealing(at time: Int64) throws(SecurityError) -> Key {
        let day = HintKey.day(of: time)
        return try keys.withLock { (keys) throws(SecurityError) in
            if let key = keys.first, key.day == day { return key }
            let key = try Key(day: day)
            keys = [key] + keys.prefix(1)
            return key
        }
    }

    /// The key of that name, if it still opens tickets.
    func opening(_ name: [UInt8], at time: Int64) -> Key? {
        let day = HintKey.day(of: time)
        return keys.withLock { $0.first { $0.name == name && abs(day - $0.day) <= 1 } }
    }
}
