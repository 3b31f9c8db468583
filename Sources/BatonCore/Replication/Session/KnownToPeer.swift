/// Writes that a peer has and does not claim yet, which need not be sent to it.
///
/// The peer sent them in this session, or they were sent to it before they were stored here.
///
/// A write is left out only if the store has it exactly as the peer does; otherwise it is sent. Forgetting an entry
/// does no harm: the peer is sent a write that it has, and skips it.
struct KnownToPeer: Sendable {
    private var writes: [Dot: Write] = [:]
    private var bytes = 0

    /// Adds writes that were sent by or to the peer, except those that it claims; at most a window of writes is
    /// remembered.
    mutating func recordSent(_ sent: [Write], claiming complete: VersionVector) {
        for write in sent where !complete.covers(write.dot) {
            guard bytes + write.byteCount <= Limits.windowBytes else { return }
            if writes.updateValue(write, forKey: write.dot) == nil { bytes += write.byteCount }
        }
    }

    /// Removes the writes that the peer claims, which are skipped anyway.
    mutating func forget(_ complete: VersionVector) {
        for dot in writes.keys where complete.covers(dot) {
            if let write = writes.removeValue(forKey: dot) { bytes -= write.byteCount }
        }
    }

    /// Returns the writes that the peer does not have yet, and forgets the others: the store reads each write only
    /// once.
    mutating func removed(from read: [Write]) -> [Write] {
        guard !writes.isEmpty else { return read }
        return read.filter { write in
            guard let sent = writes.removeValue(forKey: write.dot) else { return true }
            bytes -= sent.byteCount
            return sent != write
        }
    }
}
