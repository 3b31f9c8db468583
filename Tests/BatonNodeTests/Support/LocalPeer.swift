import BatonCore
import BatonNetwork
import Glibc
import Support

/// A connection to a node's local socket that makes one request at a time.
struct LocalPeer: ~Copyable {
    private let connection: UnixConnection
    private var decoder = FrameDecoder()
    private var number: UInt64 = 0

    /// Connects, and sends a hello.
    init(_ home: Home, hello: Frame? = LocalHello(build: Build.version, process: getpid()).frame) throws {
        let connection = try UnixConnection(to: home.socket, deadline: .now + .seconds(30))
        if let hello { try connection.send(hello.encoded, deadline: .now + .seconds(30)) }
        self.connection = connection
    }

    func send(_ bytes: [UInt8]) throws { try connection.send(bytes, deadline: .now + .seconds(30)) }

    /// Returns the next frame, or nil at the end of the stream.
    mutating func next() throws -> Frame? {
        while true {
            if let frame = try decoder.next() { return frame }
            let bytes = try connection.receive(upTo: 1 << 16, deadline: .now + .seconds(30))
            guard !bytes.isEmpty else { return nil }
            decoder.feed(bytes)
        }
    }

    /// Makes a call, and waits for the answer.
    mutating func ask<Call: LocalCall>(_ call: Call) throws -> Result<Call.Reply, LocalFailure> {
        number += 1
        return try answer(to: call.frame(number: number)).result()
    }

    /// Sends a request, and waits for the answer.
    mutating func answer(to request: Frame) throws -> LocalAnswer {
        try send(request.encoded)
        while let frame = try next() {
            if frame.kind == .localAnswer { return try LocalAnswer(frame) }
        }
        throw DeadlinePassed(description: "the node hung up")
    }
}
