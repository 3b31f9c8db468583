extension CloseReason {
    /// Creates the reason for a message that could not be read.
    package init(_ error: CBORError, in kind: FrameKind) {
        self.init(.malformed, "\(kind): \(error)")
    }

    package var frame: Frame {
        var writer = CBORWriter()
        writer.map { fields in
            fields.field(1) { $0.unsigned(code.rawValue) }
            fields.field(2) { $0.text(text.prefix(fittingBytes: Self.textBytes)) }
        }
        return Frame(kind: .close, body: writer.bytes)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        var code: UInt64?, text: String?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: code = try reader.unsigned()
            case 2: text = try reader.text(upTo: Self.textBytes)
            default: break
            }
        }
        self.init(CloseCode(rawValue: try code.required(1, in: reader)), try text.required(2, in: reader))
    }
}
