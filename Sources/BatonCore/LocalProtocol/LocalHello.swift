/// The first message of each side on the local socket, which says who the sender is.
package struct LocalHello: Equatable, Sendable {
    /// The version of the local protocol.
    ///
    /// If the two sides have different versions, the connection is closed immediately.
    package var version: UInt64
    /// The version of the sender's build of Baton.
    package var build: String
    package var process: Int32
    /// The account to which the calls of the connection refer; nil if the client named none.
    ///
    /// The node repeats the name in its own message. A node of a version without account names does not repeat it. So
    /// the client notices that its calls would reach another account.
    package var account: String?

    /// The version of the local protocol that this build speaks.
    package static let version: UInt64 = 1

    package init(
        version: UInt64 = LocalHello.version, build: String, process: Int32, account: String? = nil
    ) {
        self.version = version
        self.build = build
        self.process = process
        self.account = account
    }

    package var frame: Frame {
        var writer = CBORWriter()
        writer.map { fields in
            fields.field(1) { $0.unsigned(version) }
            fields.field(2) { $0.text(build) }
            fields.field(3) { $0.integer(Int64(process)) }
            fields.field(4, account) { $0.text($1) }
        }
        return Frame(kind: .localHello, body: writer.bytes)
    }

    package init(_ frame: Frame) throws(CloseReason) {
        guard frame.kind == .localHello else {
            throw CloseReason(.unexpected, "\(frame.kind) came before the first message")
        }
        do {
            self = try CBORReader.whole(frame.body[...]) { (reader) throws(CBORError) in
                var version: UInt64?, build: String?, process: Int32?, account: String?
                try reader.fields { (number, reader) throws(CBORError) in
                    switch number {
                    case 1: version = try reader.unsigned()
                    case 2: build = try reader.text(upTo: Limits.nameBytes)
                    case 3: process = try reader.processNumber()
                    case 4: account = try reader.text(upTo: Limits.nameBytes)
                    default: break
                    }
                }
                return LocalHello(
                    version: try version.required(1, in: reader), build: try build.required(2, in: reader),
                    process: process ?? 0, account: account)
            }
        } catch {
            throw CloseReason(error, in: frame.kind)
        }
    }
}

extension CBORReader {
    /// Reads the ID of a process.
    mutating func processNumber() throws(CBORError) -> Int32 {
        let start = offset
        guard let number = Int32(exactly: try integer()) else { throw CBORError(.outOfRange, at: start) }
        return number
    }
}
