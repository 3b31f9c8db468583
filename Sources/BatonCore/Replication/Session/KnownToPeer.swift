/// Writes that a peer has but does not claim yet, and that need not be sent to it.
///
/// Either the peer sent these writes in this session, or they were sent to the peer before they were stored here.
///
/// A write is not sent only if the store has it exactly as the peer has it. If an entry is forgotten, the peer is sent
/// a write that it already has, and skips it. This does no harm.
struct KnownToPeer: Sendable {
    private var writes: [Dot: Write] = [:]
    private var bytes = 0

    /// Adds writes that were sent by the peer or to the peer, except those that the peer claims.
    ///
    /// The size of the remembered writes is at most that of a window.
    mutating func recordSent(_ sent: [Write], claiming complete: VersionVector) {
        for write in sent where !complete.covers(write.dot) {
            guard bytes + write.byteCount <= Limits.windowBytes else { return }
            if writes.updateValue(write, forKey: write.dot) == nil { bytes += write.byteCount }
        }
    }

    /// Removes the writes that the peer claims, because these are not sent in any case.
    mutating func forget(_ complete: VersionVector) {
        for dot in writes.keys where complete.covers(dot) {
            if let write = writes.removeValue(forKey: dot) { bytes -= write.byteCount }
        }
    }

    /// Returns those of the read writes that the peer does not have yet.
    ///
    /// The others are forgotten here, because the store reads each write only once.
    mutating func removed(from read: [Write]) -> [Write] {
        guard !writes.isEmpty else { return read }
        return read.filter { write in
            guard let sent = writes.removeValue(forKey: write.dot) else { return true }
            bytes -= sent.byteCount
            return sent != write
        }
    }
}
