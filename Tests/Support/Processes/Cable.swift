import Glibc

/// A relay that plays the cable between two machines: it passes on all bytes from one address to another, until it is
/// cut.
///
/// It listens at the port of the machine that it leads to, on another address that only this machine can reach, so that
/// peers that know only that address come through here.
package final class Cable: Sendable {
    private let listening: Listening
    private let connections: Connections

    /// The open connections, and the number of bytes that came through.
    private final class Connections: @unchecked Sendable {
        private var lock = pthread_mutex_t()
        private var changed = pthread_cond_t()
        private var pairs: [(RawConnection, RawConnection)] = []
        private var bytes = 0
        private var end: Int?
        private var isPlugged = true

        init() {
            pthread_mutex_init(&lock, nil)
            pthread_cond_init(&changed, nil)
        }

        deinit {
            pthread_cond_destroy(&changed)
            pthread_mutex_destroy(&lock)
        }

        func add(_ pair: (RawConnection, RawConnection)) { locked { pairs.append(pair) } }

        func cut(after more: Int) { locked { end = bytes + more } }

        func plug(_ isPlugged: Bool) {
            locked {
                self.isPlugged = isPlugged
                pthread_cond_broadcast(&changed)
            }
        }

        /// Counts bytes that are to pass, and returns false once that is too many; then nothing passes on any
        /// connection.
        ///
        /// While the cable is unplugged it waits, because TCP resends lost bytes until they arrive.
        func mayPass(_ more: Int) -> Bool {
            locked {
                while !isPlugged { pthread_cond_wait(&changed, &lock) }
                bytes += more
                guard let last = end, bytes > last else { return true }
                end = nil
                for (near, far) in pairs {
                    for end in [near, far] { shutdown(end.descriptor, Int32(SHUT_RDWR)) }
                }
                return false
            }
        }

        private func locked<Value>(_ body: () -> Value) -> Value {
            pthread_mutex_lock(&lock)
            defer { pthread_mutex_unlock(&lock) }
            return body()
        }
    }

    /// The address at which every cable listens.
    ///
    /// No other test uses it: tests that connect from many addresses take ports at 127.0.0.1 and those that follow.
    package static let address = "127.1.0.1"

    /// Creates a relay to a port of this machine.
    package init(to port: UInt16) throws {
        let (listening, connections) = (try Listening(at: 0x7f01_0001, port), Connections())
        (self.listening, self.connections) = (listening, connections)
        listening.serve { near in
            guard let far = try? RawConnection(port: port) else { return }
            connections.add((near, far))
            for (from, to) in [(near, far), (far, near)] {
                detach {
                    while let bytes = from.read(), !bytes.isEmpty, connections.mayPass(bytes.count),
                        to.write(bytes)
                    {}
                    shutdown(to.descriptor, Int32(SHUT_RDWR))
                }
            }
        }
    }

    /// Cuts all connections once this many more bytes have come through; later connections come through.
    package func cut(after bytes: Int) { connections.cut(after: bytes) }

    /// Lets nothing through any more, without telling either side; new connections hear nothing, either.
    package func unplug() { connections.plug(false) }

    /// Lets everything through again, including bytes sent meanwhile.
    package func plug() { connections.plug(true) }
}
