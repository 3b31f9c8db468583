package import BatonCore

/// A call, and a reply that it can have.
package struct LocalExchange: Sendable {
    package let call: any LocalCall
    package let reply: any LocalReply

    /// The compiler sees to it that the reply is one to this call.
    init<Call: LocalCall>(_ call: Call, _ reply: Call.Reply) { (self.call, self.reply) = (call, reply) }
}

extension LocalCallNumber {
    /// The type of the calls of this number.
    package var type: any LocalCall.Type {
        guard let type = Self.types[self] else { preconditionFailure("each number has a type") }
        return type
    }

    private static let types: [LocalCallNumber: any LocalCall.Type] = {
        var generator = SeededGenerator(seed: 0)
        return Dictionary(
            uniqueKeysWithValues: allCases.map { ($0, Swift.type(of: generator.localExchange($0).call)) })
    }()
}

/// Any message in a frame of the local protocol, as tests and fuzzers read it.
package struct ReadFrame<Message>: Equatable {
    package let number: UInt64
    package let message: Message
    private let isSame: (Message, Message) -> Bool

    fileprivate init(number: UInt64, message: Message, isSame: @escaping (Message, Message) -> Bool) {
        (self.number, self.message, self.isSame) = (number, message, isSame)
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.number == right.number && left.isSame(left.message, right.message)
    }
}

extension LocalRequest {
    /// Reads the arguments as those of a call.
    package func read<Call: LocalCall>(_: Call.Type = Call.self) throws(CloseReason) -> Call {
        var reader = arguments
        do throws(CBORError) {
            let call = try Call(from: &reader)
            try reader.end()
            return call
        } catch {
            throw CloseReason(error, in: .localRequest)
        }
    }

    /// Reads a call, whatever it is; returns nil for a call that this version does not know.
    package static func read(_ frame: Frame) throws(CloseReason) -> ReadFrame<(any LocalCall)?> {
        let request = try LocalRequest(frame)
        var call: (any LocalCall)?
        if let number = LocalCallNumber(rawValue: request.call) {
            call = try request.read(number.type)
        } else {
            var reader = request.arguments
            do throws(CBORError) {
                try reader.skip()
                try reader.end()
            } catch {
                throw CloseReason(error, in: .localRequest)
            }
        }
        return ReadFrame(number: request.number, message: call) { isSameCall($0, $1) }
    }
}

extension LocalAnswer {
    /// Reads an answer, whatever it is to.
    package static func read(
        _ frame: Frame
    ) throws(CloseReason) -> ReadFrame<Result<any LocalReply, LocalFailure>> {
        let answer = try LocalAnswer(frame)
        return ReadFrame(number: answer.number, message: try answer.read()) { left, right in
            switch (left, right) {
            case (.success(let left), .success(let right)): isSame(left, as: right)
            case (.failure(let left), .failure(let right)): left == right
            default: false
            }
        }
    }

    private func read() throws(CloseReason) -> Result<any LocalReply, LocalFailure> {
        // The type does not matter for a failure.
        if isFailure { return try result(Done.self).map { $0 } }
        do throws(CBORError) {
            for type in Self.replies {
                var reader = value
                guard let kind = LocalReplyKind(rawValue: kind),
                    let reply = try type.init(kind, from: &reader)
                else { continue }
                try reader.end()
                return .success(reply)
            }
            throw CBORError(.outOfRange, at: value.offset)
        } catch {
            throw CloseReason(error, in: .localAnswer)
        }
    }

    /// The types of all replies; of two that have the same kind, the more general one stands first.
    private static let replies: [any LocalReply.Type] = {
        var generator = SeededGenerator(seed: 0)
        let replies = LocalCallNumber.allCases.map { type(of: generator.localExchange($0).reply) }
        return replies + [NewAccountReply.self, AdmissionReply.self]
    }()
}

private func isSame<Value: Equatable>(_ left: Value, as right: Any?) -> Bool { left == right as? Value }

private func isSameCall(_ left: (any LocalCall)?, _ right: (any LocalCall)?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return isSame(left, as: right as Any?)
}

extension Collection<any LocalCall> {
    /// Whether these are the calls.
    package func equals(_ calls: any LocalCall...) -> Bool {
        count == calls.count && zip(self, calls).allSatisfy { isSameCall($0, $1) }
    }
}
