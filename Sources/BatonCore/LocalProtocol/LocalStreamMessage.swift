/// A message between an app and its node, on a connection that carries a continuation stream.
///
/// The flow control of the socket slows down a fast sender. A stream ends properly only with `end` and `taken`. If the
/// connection ends without them, the stream is broken.
package enum LocalStreamMessage: Equatable, Sendable {
    case data([UInt8])
    /// The app that sent this message, directly or through its node, sends no more data.
    case end
    /// The app that sent this message, directly or through its node, has received all data and the end.
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
        default: throw CloseReason(.unexpected, "\(frame.kind) does not belong on a stream")
        }
        switch self {
        case .end where !frame.body.isEmpty, .taken where !frame.body.isEmpty:
            throw CloseReason(.malformed, "\(frame.kind) has a body")
        default: break
        }
    }
}

extension Frame {
    /// Returns the head of a frame with `count` bytes of data.
    ///
    /// The caller can then send the data without copying it.
    package static func localStreamHead(_ count: Int) -> [UInt8] {
        precondition(
            count <= Limits.streamDataBytes, "a frame of a stream is never made larger than its limit")
        return [UInt8](unsafeUninitializedCapacity: headBytes) { memory, filled in
            writeHead(.localStreamData, count: count, to: memory)
            filled = headBytes
        }
    }
}
