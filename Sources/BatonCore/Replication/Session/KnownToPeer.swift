/// Writes that a peer has and does not claim yet, which need not be sent to it.
///
/// The peer sent them in this session, or was sent them before they were kept here.
///
/// A write is left out only if it stands here just as the peer has it; any other state of it is sent. This knowledge
/// may be lost: then the peer is sent writes that it has, and skips them.
struct KnownToPeer: Sendable {
    private var writes: [Dot: Write] = [:]
    private var bytes = 0

    /// Adds writes that the peer sent or was sent, except those it claims; there is room for what can be on the way.
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

    /// Returns the writes that the peer does not have yet; what was read once is not read again.
    mutating func removed(from read: [Write]) -> [Write] {
        guard !writes.isEmpty else { return read }
        return read.filter { write in
            guard let sent = writes.removeValue(forKey: write.dot) else { return true }
            bytes -= sent.byteCount
            return sent != write
        }
    }
}
