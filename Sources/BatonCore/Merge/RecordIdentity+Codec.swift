extension RecordIdentity {
    /// Writes an array of the kind and the hash.
    func encode(to writer: inout CBORWriter) {
        writer.array(count: 2)
        writer.unsigned(kind.rawValue)
        writer.identifier(hash)
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        let kind = RecordKind(rawValue: try reader.unsigned(upTo: RecordKind.largest))
        self.init(kind: kind, hash: try reader.identifier())
    }
}
