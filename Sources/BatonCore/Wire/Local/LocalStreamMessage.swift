/// What an app and its node say to each other on a connection that carries a continuation stream.
///
/// The socket's own flow control holds back whoever is too fast. Only what is said here ends a stream well: a connection
/// that merely ends is a broken one.
package enum LocalStreamMessage: Equatable, Sendable {
    case data([UInt8])
    /// The sender has said all it had to say, or the other app has.
    case end
    /// The sender has taken all that came, and the end; or the other app has.
    case taken
    /// The stream is broken.
    case abort(StreamBreak)

    package var frame: Frame {
        switch self {
        case .data(let bytes): return Frame(kind: .localStreamData, body: bytes)
        case .end: return Frame(kind: .localStreamEnd, body: [])
        case .taken: return Frame(kind: .localStreamTaken, body: [])
        case .abort(let reason):
            var writer = CBORWriter()
            writer.unsigned(reason.rawValue)
            return Frame(kind: .localStreamAbort, body: writer.bytes)
        }
    }

    package init(_ frame: Frame) throws(CloseReason) {
        switch frame.kind {
        case .localStreamData:
            guard !frame.body.isEmpty, frame.body.count <= Limits.streamDataBytes else {
                throw CloseReason(.malformed, "\(frame.body.count) bytes of a stream in one frame")
            }
            self = .data(frame.body)
        case .localStreamEnd: self = .end
        case .localStreamTaken: self = .taken
        case .localStreamAbort:
            do throws(CBORError) {
                self = .abort(
                    try CBORReader.whole(frame.body[...]) { (reader) throws(CBORError) in
                        StreamBreak(rawValue: try reader.unsigned())
                    })
            } catch {
                throw CloseReason(error, in: frame.kind)
            }
        default: throw CloseReason(.unexpected, "\(frame.kind) is not said on a stream")
        }
        switch self {
        case .end where !frame.body.isEmpty, .taken where !frame.body.isEmpty:
            throw CloseReason(.malformed, "\(frame.kind) has a body")
        default: break
        }
    }
}

extension Frame {
    /// What stands before so many bytes of a stream between an app and its node, which follow without a copy.
    package static func localStreamHead(_ count: Int) -> [UInt8] {
        precondition(
            count <= Limits.streamDataBytes, "a frame of a stream is never made larger than its limit")
        return [UInt8](unsafeUninitializedCapacity: headBytes) { memory, filled in
            writeHead(.localStreamData, count: count, to: memory)
            filled = headBytes
        }
    }
}
