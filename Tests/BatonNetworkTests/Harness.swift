import BatonNetwork
import Glibc
import Support
import Testing

/// Runs a test with an event loop, closes the loop, and returns the test's value.
func withLoopResult<Value>(_ body: (EventLoop) throws -> Value) throws -> Value {
    let loop = try EventLoop()
    defer { loop.close() }
    return try body(loop)
}

/// Runs a test with an event loop, and closes the loop.
func withLoop(_ body: (EventLoop) throws -> Void) throws {
    let loop = try EventLoop()
    defer { loop.close() }
    try body(loop)
}

extension EventLoop {
    /// Runs until a condition holds; fails the test after half a minute.
    func expect(
        _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () -> Bool
    ) {
        let isMet = run(until: now + .seconds(30), or: condition)
        #expect(isMet, what, sourceLocation: sourceLocation)
    }

    /// Runs for a while.
    func run(for time: Duration) { _ = run(until: now + time) { false } }
}

extension SocketAddress {
    /// An address of this machine that only it can reach.
    static func loopback(port: UInt16) -> SocketAddress {
        SocketAddress(host: .version4(0x7f00_0001), port: port)
    }
}

/// The two kinds of stream.
enum Kind: CaseIterable, CustomTestStringConvertible {
    case tcp, unix
    var testDescription: String { self == .tcp ? "TCP" : "Unix" }
}

/// Two connected streams on one loop, not started yet.
final class Pair {
    let folder: TemporaryFolder
    let near: StreamConnection
    let far: StreamConnection

    init(_ kind: Kind, on loop: EventLoop, settings: StreamSettings = StreamSettings()) throws {
        folder = try TemporaryFolder()
        let path = folder.path + "/socket"
        let listener =
            switch kind {
            case .tcp: try Listener(at: .loopback(port: 0), on: loop, settings: settings)
            case .unix: try Listener(atUnix: path, on: loop, settings: settings)
            }
        var (outcome, accepted): (ConnectAttempt.Outcome?, StreamConnection?)
        try listener.start(accepted: { accepted = $0 })
        let deadline = loop.now + .seconds(10)
        if let address = listener.address {
            try StreamConnection.connect(to: address, on: loop, settings: settings, deadline: deadline) {
                outcome = $0
            }
        } else {
            try StreamConnection.connect(toUnix: path, on: loop, settings: settings, deadline: deadline) {
                outcome = $0
            }
        }
        loop.expect("the connection is made") { outcome != nil && accepted != nil }
        near = try #require(outcome).get()
        far = try #require(accepted)
        try listener.close()
    }
}

/// Records the events of a connection.
final class Log {
    var bytes: [UInt8] = []
    var drains = 0
    var ends: [StreamConnection.End] = []
    var handlers: StreamConnection.Handlers {
        .init(
            received: { self.bytes += [UInt8](copying: $0) }, drained: { self.drains += 1 },
            ended: { self.ends.append($0) })
    }
}

/// Starts a program and returns its process ID.
func spawn(_ program: String, _ arguments: [String] = []) throws -> pid_t {
    var process = pid_t()
    let pointers = ([program] + arguments).map { strdup($0) }
    defer { pointers.forEach { free($0) } }
    let error = (pointers + [nil]).withUnsafeBufferPointer {
        posix_spawn(&process, program, nil, nil, UnsafeMutablePointer(mutating: $0.baseAddress!), environ)
    }
    try #require(error == 0)
    return process
}

extension Array where Element == UInt8 {
    /// Copies the bytes of a span.
    init(copying span: Span<UInt8>) { self = span.withUnsafeBufferPointer { Array($0) } }
}
