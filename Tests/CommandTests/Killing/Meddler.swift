import Glibc
import Support
import Synchronization

/// Stands between a joiner and an inviter, passes on what they send, and counts the pieces; at a chosen one it does
/// something first.
final class Meddler: Sendable {
    private let listening: Listening
    /// How many pieces were passed on, in both directions.
    private let passed: Shared

    private final class Shared: Sendable { let count = Mutex(0) }

    /// Passes bytes on to a port; `act` is done once, before the piece of that number is.
    init(to port: UInt16, before piece: Int, act: @escaping @Sendable () -> Void) throws {
        listening = try Listening()
        let shared = Shared()
        passed = shared
        listening.serve { near in
            guard let far = try? RawConnection(port: port) else { return }
            detach { Self.pass(from: far, to: near, shared, piece, act) }
            Self.pass(from: near, to: far, shared, piece, act)
        }
    }

    /// Where to connect instead.
    var address: String { "127.0.0.1:\(listening.port)" }

    /// How many pieces came so far.
    var count: Int { passed.count.withLock { $0 } }

    private static func pass(
        from: RawConnection, to: RawConnection, _ shared: Shared, _ piece: Int, _ act: @Sendable () -> Void
    ) {
        while let bytes = from.read(), !bytes.isEmpty {
            shared.count.withLock { count in
                count += 1
                if count == piece { act() }
            }
            guard to.write(bytes) else { break }
        }
        shutdown(from.descriptor, Int32(SHUT_RDWR))
        shutdown(to.descriptor, Int32(SHUT_RDWR))
    }
}
