import Glibc
import Support
import Synchronization

/// Stands between machines, passes on what they send, and remembers every byte.
final class Tap: Sendable {
    private let listening: Listening
    private let heard = Heard()

    /// What was heard so far, a recording for each connection and direction.
    private final class Heard: Sendable {
        private let bytes = Mutex<[[UInt8]]>([])

        /// Begins a recording, and answers with its number.
        func begin() -> Int {
            bytes.withLock {
                $0.append([])
                return $0.count - 1
            }
        }

        func add(_ more: [UInt8], to number: Int) { bytes.withLock { $0[number] += more } }

        var all: [[UInt8]] { bytes.withLock { $0 } }
    }

    /// Passes bytes on to a port, on any number of connections at once.
    init(to port: UInt16) throws {
        listening = try Listening()
        listening.serve { [heard] near in
            guard let far = try? RawConnection(port: port) else { return }
            let (there, back) = (heard.begin(), heard.begin())
            detach { Self.pass(from: far, to: near, heard, back) }
            detach { Self.pass(from: near, to: far, heard, there) }
        }
    }

    /// Where to connect instead.
    var address: String { "127.0.0.1:\(listening.port)" }

    /// What was heard on each connection, first from who connected, then what was answered.
    var connections: [(there: [UInt8], back: [UInt8])] {
        let all = heard.all
        return stride(from: 0, to: all.count - 1, by: 2).map { (all[$0], all[$0 + 1]) }
    }

    /// All that was heard.
    var all: [[UInt8]] { heard.all }

    private static func pass(from: RawConnection, to: RawConnection, _ heard: Heard, _ number: Int) {
        while let bytes = from.read(), !bytes.isEmpty {
            heard.add(bytes, to: number)
            guard to.write(bytes) else { break }
        }
        shutdown(from.descriptor, Int32(SHUT_RDWR))
        shutdown(to.descriptor, Int32(SHUT_RDWR))
    }
}

extension [UInt8] {
    /// Whether they have those among them, in that order.
    func holds(_ wanted: [UInt8]) -> Bool {
        !wanted.isEmpty && !ranges(of: wanted).isEmpty
    }
}
