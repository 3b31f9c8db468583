import BatonCore
import BatonNetwork
import BatonSecurity
import Foundation
import Synchronization

/// The commands of this program as one end of a measurement: `serve`, `pour` and `ping`, as in the bare program.
enum TransportSide {
    /// The first argument that selects them.
    static let word = "transport"

    /// The size of the frames of `pour`.
    static let frameBody = 256 << 10

    private static let served = Atomic(0)

    static func run(_ words: [String]) throws {
        guard words.count >= 2 else { throw BenchmarkFailure("serve, pour or ping?") }
        FreedMemory.keep()
        _ = try OpenFileLimit.raise()
        let credentials = try IdentityFolder(path: words[1]).load()
        let loop = try EventLoop()
        switch words[0] {
        case "serve": try serve(credentials, on: loop)
        case "pour": try pour(words, credentials, on: loop)
        default: try ping(words, credentials, on: loop)
        }
    }

    /// An address that only this machine can reach.
    private static func loopback(port: UInt16) -> SocketAddress {
        SocketAddress(host: .version4(0x7f00_0001), port: port)
    }

    private static func tell(_ text: String) {
        print(text)
        fflush(nil)
    }

    // MARK: A server

    private static func serve(_ credentials: Credentials, on loop: EventLoop) throws {
        let server = try TLSServer([.device(credentials)])
        let listener = try Listener(at: loopback(port: 0), on: loop)
        try listener.start(accepted: { connection in
            do {
                let stream = try SecureStream(connection, TLSSession(server: server), on: loop, answers: true)
                stream.ended = { _ = served.add(1, ordering: .relaxed) }
            } catch {
                connection.close()
            }
        })
        tell("\(listener.address?.port ?? 0)")
        Thread.detachNewThread {
            while readLine() != nil {
                var time = timespec()
                clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
                let seconds = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
                tell("\(served.load(ordering: .relaxed)) \(seconds)")
            }
            exit(0)
        }
        loop.run()
    }

    // MARK: A client

    private static func pour(_ words: [String], _ credentials: Credentials, on loop: EventLoop) throws {
        let frame = Frame(kind: .acknowledgement, body: [UInt8](repeating: 0, count: frameBody))
        var left = (Int(words[4]) ?? 0) * 4
        var started: ContinuousClock.Instant?
        try call(words, credentials, on: loop) { stream in
            stream.drained = {
                started = started ?? .now
                while left > 0, stream.backlog < Limits.windowBytes {
                    stream.send(frame)
                    left -= 1
                    if left == 0 { stream.send(Frame(kind: .acknowledgement, body: [])) }
                }
            }
            stream.answered = { loop.stop() }
        }
        tell("\((ContinuousClock.now - (started ?? .now)).seconds)")
    }

    private static func ping(_ words: [String], _ credentials: Credentials, on loop: EventLoop) throws {
        var left = (Int(words[4]) ?? 0) + 1
        var started = ContinuousClock.now
        let frame = Frame(kind: .acknowledgement, body: [])
        try call(words, credentials, on: loop) { stream in
            stream.drained = { stream.send(frame) }
            stream.answered = {
                // The first is not counted.
                if left == Int(words[4]) ?? 0 { started = .now }
                left -= 1
                if left >= 0 { stream.send(frame) } else { loop.stop() }
            }
        }
        tell("\((ContinuousClock.now - started).seconds)")
    }

    private static func call(
        _ words: [String], _ credentials: Credentials, on loop: EventLoop,
        then: @escaping (SecureStream) -> Void
    ) throws {
        let context = try TLSContext.device(credentials)
        let port = UInt16(words[3]) ?? 0
        let (address, deadline) = (loopback(port: port), loop.now + .seconds(10))
        try StreamConnection.connect(to: address, on: loop, deadline: deadline) {
            guard let connection = try? $0.get(), let session = try? TLSSession(client: context),
                let stream = try? SecureStream(connection, session, on: loop, answers: false)
            else { return loop.stop() }
            then(stream)
        }
        loop.run()
    }
}
