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
    /// Reads a state digest, which any 32 bytes are.
    mutating func stateDigest() throws(CBORError) -> StateDigest {
        let start = offset
        guard let digest = StateDigest(bytes: try data(count: StateDigest.byteCount)) else {
            throw CBORError(.outOfRange, at: start)
        }
        return digest
    }
}
