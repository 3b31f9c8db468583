/// The digests of a node's state and of its claims at one moment.
///
/// Nodes with the same claims must have the same state.
package struct StateCheck: Equatable, Sendable {
    /// The digest of the node's claims.
    package let complete: [UInt8]
    /// The sum over all records that exist and have not expired at `time`.
    package let state: StateDigest
    /// The time by which records count as expired.
    package let time: WallTime

    package init(complete: [UInt8], state: StateDigest, at time: WallTime) {
        (self.complete, self.state, self.time) = (complete, state, time)
    }
}

/// The sums over the parts of a lane.
///
/// If the states of two nodes differ, the sums show in which parts.
///
/// The first byte of a record's key hash is the number of its part.
package struct LaneSums: Equatable, Sendable {
    package let lane: Lane
    /// The sum of each part, in order.
    ///
    /// A sum is over the records that have not expired at `time`.
    package let sums: [StateDigest]
    package let time: WallTime

    /// The number of parts of a lane.
    package static let count = 256

    package init(lane: Lane, sums: [StateDigest], at time: WallTime) {
        precondition(sums.count == Self.count, "a lane has a sum for each of its parts")
        (self.lane, self.sums, self.time) = (lane, sums, time)
    }
}

extension KeyHash {
    /// The number of the part of a lane to which the record belongs.
    package var part: UInt8 { UInt8(truncatingIfNeeded: high >> 56) }
}

// MARK: Codec

extension StateCheck {
    func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.data(complete) }
            fields.field(2) { $0.data(state.bytes) }
            fields.field(3) { time.encode(to: &$0) }
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        var complete: [UInt8]?, state: StateDigest?, time: WallTime?
        try reader.fields { (field, reader) throws(CBORError) in
            switch field {
            case 1: complete = try reader.data(count: VersionVector.digestBytes)
            case 2: state = try reader.stateDigest()
            case 3: time = try WallTime(from: &reader)
            default: break
            }
        }
        self.init(
            complete: try complete.required(1, in: reader), state: try state.required(2, in: reader),
            at: try time.required(3, in: reader))
    }
}

extension LaneSums {
    func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.unsigned(UInt64(lane.rawValue)) }
            fields.field(2) { $0.data(sums.flatMap(\.bytes)) }
            fields.field(3) { time.encode(to: &$0) }
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        var lane: Lane?, sums: [StateDigest]?, time: WallTime?
        try reader.fields { (field, reader) throws(CBORError) in
            switch field {
            case 1: lane = try Lane(from: &reader)
            case 2:
                let bytes = try reader.data(count: Self.count * StateDigest.byteCount)
                sums = stride(from: 0, to: bytes.count, by: StateDigest.byteCount).compactMap {
                    StateDigest(bytes: bytes[$0..<$0 + StateDigest.byteCount])
                }
            case 3: time = try WallTime(from: &reader)
            default: break
            }
        }
        self.init(
            lane: try lane.required(1, in: reader), sums: try sums.required(2, in: reader),
            at: try time.required(3, in: reader))
    }
}

extension CBORReader {
    /// Reads a state digest.
    ///
    /// Any 32 bytes are a valid digest.
    mutating func stateDigest() throws(CBORError) -> StateDigest {
        let start = offset
        guard let digest = StateDigest(bytes: try data(count: StateDigest.byteCount)) else {
            throw CBORError(.outOfRange, at: start)
        }
        return digest
    }
}
