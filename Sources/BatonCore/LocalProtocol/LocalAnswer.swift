/// An answer whose value is not decoded yet.
///
/// The caller finds its call by the number of the request, and decodes the value as the type of reply of that call.
package struct LocalAnswer: Sendable {
    /// The number of the request.
    package let number: UInt64
    /// The number of the kind of answer.
    package let kind: UInt64
    /// A reader at the start of the value; no bytes may follow the value.
    package let value: CBORReader

    /// The number that, as a kind of answer, means a failure; any call may fail.
    private static let failure: UInt64 = 0

    /// Whether the node answered with a failure.
    package var isFailure: Bool { kind == Self.failure }

    /// Reads the number of the request and the kind of answer from a frame.
    package init(_ frame: Frame) throws(CloseReason) {
        guard frame.kind == .localAnswer else {
            throw CloseReason(.unexpected, "\(frame.kind) is not an answer")
        }
        var reader = CBORReader(frame.body)
        do throws(CBORError) {
            try reader.array(count: 3)
            (number, kind) = (try reader.unsigned(), try reader.unsigned())
        } catch {
            throw CloseReason(error, in: frame.kind)
        }
        value = reader
    }

    /// Decodes the reply, or the failure that the node sent instead of a reply.
    package func result<Reply: LocalReply>(
        _: Reply.Type = Reply.self
    ) throws(CloseReason) -> Result<Reply, LocalFailure> {
        do throws(CBORError) {
            var reader = value
            let result: Result<Reply, LocalFailure>
            if isFailure {
                result = .failure(try LocalFailure(from: &reader))
            } else if let kind = LocalReplyKind(rawValue: kind), let reply = try Reply(kind, from: &reader) {
                result = .success(reply)
            } else {
                throw CBORError(.outOfRange, at: reader.offset)
            }
            try reader.end()
            return result
        } catch {
            throw CloseReason(error, in: .localAnswer)
        }
    }

    // MARK: Making frames

    /// Returns a writer that already contains the beginning of an answer to the request with this number.
    package static func writer(number: UInt64) -> CBORWriter {
        var writer = CBORWriter()
        writer.array(count: 3)
        writer.unsigned(number)
        return writer
    }

    /// Returns the frame of an encoded answer; if the answer is too large for a frame, returns the frame of a failure.
    package static func frame(_ writer: CBORWriter, number: UInt64) -> Frame {
        guard writer.bytes.count > Limits.frameBytes else {
            return Frame(kind: .localAnswer, body: writer.bytes)
        }
        let failure = LocalFailure(
            .tooLarge, "The answer is larger than the limit of \(Limits.frameBytes) bytes.")
        return frame(failure, number: number)
    }

    /// Returns the frame of a failure that answers the request with this number.
    package static func frame(_ failure: LocalFailure, number: UInt64) -> Frame {
        var writer = writer(number: number)
        writer.unsigned(Self.failure)
        failure.encode(to: &writer)
        return Frame(kind: .localAnswer, body: writer.bytes)
    }
}

extension LocalFailure {
    fileprivate func encode(to writer: inout CBORWriter) {
        writer.pair(code.rawValue, text)
    }

    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        let (code, text): (UInt64, String) = try reader.pair()
        self.init(Code(rawValue: code) ?? .failed, text)
    }
}
