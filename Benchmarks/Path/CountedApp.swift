import BatonCore
import BatonNetwork
import Support

/// An app of this process, which writes frames to its node and waits for the answers.
struct CountedApp: ~Copyable {
    private let connection: UnixConnection
    private var decoder = FrameDecoder()

    init(_ home: NodeHome) throws {
        connection = try UnixConnection(to: home.socket, deadline: Self.deadline)
    }

    func send(_ bytes: [UInt8]) throws { try connection.send(bytes, deadline: Self.deadline) }

    func send<Call: LocalCall>(_ call: Call) throws { try send(try call.frame(number: 1).encoded) }

    /// Asks, and waits for the answer.
    mutating func ask<Call: LocalCall>(_ call: Call) throws -> Call.Reply {
        try send(call)
        return try answer(to: Call.self)
    }

    /// Waits for the answer to a call.
    mutating func answer<Call: LocalCall>(to: Call.Type) throws -> Call.Reply { try answer().result().get() }

    /// Waits for the next answer.
    @discardableResult mutating func answer() throws -> LocalAnswer {
        let deadline = Self.deadline
        while true {
            while let frame = try decoder.next() {
                if frame.kind == .localAnswer { return try LocalAnswer(frame) }
            }
            let bytes = try connection.receive(upTo: 1 << 16, deadline: deadline)
            guard !bytes.isEmpty else { throw BenchmarkFailure("the node hung up") }
            decoder.feed(bytes)
        }
    }

    /// A node under callgrind is some fifty times slower.
    private static var deadline: MonotonicTime { .now + .seconds(60) }
}
