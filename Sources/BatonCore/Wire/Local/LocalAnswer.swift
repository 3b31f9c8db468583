/// An answer as it arrives.
///
/// Its number leads to the call that it answers, whose reply then reads the value.
package struct LocalAnswer: Sendable {
    /// The number of the request.
    package let number: UInt64
    /// The number that says what kind of answer it is.
    package let kind: UInt64
    /// Stands before the value, which must be all that is left.
    package let value: CBORReader

    /// The kind of answer that every call may have.
    private static let failure: UInt64 = 0

    /// Whether the node answered with a failure.
    package var isFailure: Bool { kind == Self.failure }

    /// Reads the number of the request, and which kind of answer it is.
    package init(_ frame: Frame) throws(CloseReason) {
        guard frame.kind == .localAnswer else { throw CloseReason(.unexpected, "\(frame.kind) is no answer") }
        var reader = CBORReader(frame.body)
        do throws(CBORError) {
            try reader.array(count: 3)
            (number, kind) = (try reader.unsigned(), try reader.unsigned())
        } catch {
            throw CloseReason(error, in: frame.kind)
        }
        value = reader
    }

    /// Reads the reply, or the failure that came in its place.
    package func result<Reply: LocalReply>(
        _: Reply.Type = Reply.self
    ) throws(CloseReason) -> Result<Reply, LocalFailure> {
        do throws(CBORError) {
            var reader = value
            let result: Result<Reply, LocalFailure>
            if isFailure {
                result = .failure(try LocalFailure(from: &reader))
            } else if let reply = try Reply(kind, from: &reader) {
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

    /// Returns what stands before each reply to the request of that number.
    package static func writer(number: UInt64) -> CBORWriter {
        var writer = CBORWriter()
        writer.array(count: 3)
        writer.unsigned(number)
        return writer
    }

    /// Returns the frame of an answer that was written; one that is too large becomes a failure that says so.
    package static func frame(_ writer: CBORWriter, number: UInt64) -> Frame {
        guard writer.bytes.count > Limits.frameBytes else {
            return Frame(kind: .localAnswer, body: writer.bytes)
        }
        let failure = LocalFailure(
            .tooLarge, "The answer is larger than the \(Limits.frameBytes) bytes that one can have.")
        return frame(failure, number: number)
    }

    /// Returns the frame that says why there is no reply.
    package static func frame(_ failure: LocalFailure, number: UInt64) -> Frame {
        var writer = writer(number: number)
        writer.unsigned(Self.failure)
        failure.encode(to: &writer)
        return Frame(kind: .localAnswer, body: writer.bytes)
    }
}

extension LocalFailure {
    fileprivate func encode(to writer: inout CBORWriter) {
        writer.array(count: 2)
        writer.unsigned(code.rawValue)
        writer.text(text)
    }

    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        let code = Code(rawValue: try reader.unsigned()) ?? .failed
        self.init(code, try reader.text())
    }
}
