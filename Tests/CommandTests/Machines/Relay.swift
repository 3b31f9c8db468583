import Glibc
import Support
import Synchronization

/// Passes bytes between machines on any number of connections, records them, and can act before a chosen piece.
final class Relay: Sendable {
    private let listening: Listening
    private let traffic = Traffic()

    /// The bytes that have passed so far.
    private final class Traffic: Sendable {
        private let state = Mutex<(recordings: [[UInt8]], pieces: Int)>(([], 0))

        /// Starts a recording, and returns its number.
        func begin() -> Int {
            state.withLock {
                $0.recordings.append([])
                return $0.recordings.count - 1
            }
        }

        /// Records a piece; acts first if it is the chosen one.
        func add(_ bytes: [UInt8], to recording: Int, before chosen: Int, _ act: () -> Void) {
            state.withLock {
                $0.pieces += 1
                if $0.pieces == chosen { act() }
                $0.recordings[recording] += bytes
            }
        }

        var recordings: [[UInt8]] { state.withLock { $0.recordings } }
        var pieces: Int { state.withLock { $0.pieces } }
    }

    /// Passes bytes to a port; `act` is called once, before the piece with that number is passed on.
    init(to port: UInt16, before piece: Int = .max, act: @escaping @Sendable () -> Void = {}) throws {
        listening = try Listening()
        listening.serve { [traffic] near in
            guard let far = try? RawConnection(port: port) else { return }
            let (there, back) = (traffic.begin(), traffic.begin())
            detach { Self.pass(from: far, to: near) { traffic.add($0, to: back, before: piece, act) } }
            detach { Self.pass(from: near, to: far) { traffic.add($0, to: there, before: piece, act) } }
        }
    }

    /// The address to connect to.
    var address: String { "127.0.0.1:\(listening.port)" }

    /// The number of pieces that have passed, in both directions.
    var pieces: Int { traffic.pieces }

    /// The bytes of each connection: those of the side that connected, and the answers.
    var connections: [(there: [UInt8], back: [UInt8])] {
        let all = traffic.recordings
        return stride(from: 0, to: all.count - 1, by: 2).map { (all[$0], all[$0 + 1]) }
    }

    /// The bytes of each connection and direction.
    var recordings: [[UInt8]] { traffic.recordings }

    private static func pass(from: RawConnection, to: RawConnection, _ record: ([UInt8]) -> Void) {
        while let bytes = from.read(), !bytes.isEmpty {
            record(bytes)
            guard to.write(bytes) else { break }
        }
        shutdown(from.descriptor, Int32(SHUT_RDWR))
        shutdown(to.descriptor, Int32(SHUT_RDWR))
    }
}

extension [UInt8] {
    /// Whether these bytes contain others, in that order.
    func holds(_ wanted: [UInt8]) -> Bool { !wanted.isEmpty && !ranges(of: wanted).isEmpty }
}
