import Glibc

/// What stands for the cable between two machines: passes on all that comes at one address to another, until it is cut.
///
/// It listens at the same port as the machine it leads to, of another address that only this machine can reach, so that
/// who knows the one of it comes through here.
package final class Cable: Sendable {
    private let listening: Listening
    private let connections: Connections

    /// What was connected, and how much came through.
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

        /// Counts what is to pass; it does not once that is too much, and neither does anything on the other
        /// connections.
        ///
        /// Without a cable it waits for one, as what is sent into the void is sent again until it arrives.
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

    /// Leads to a port of this machine.
    package init(to port: UInt16, at address: UInt32) throws {
        let (listening, connections) = (try Listening(at: address, port), Connections())
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

    /// Cuts what is connected once so many bytes more have come through; who connects anew then comes through.
    package func cut(after bytes: Int) { connections.cut(after: bytes) }

    /// Lets nothing through any more, which neither side is told; who connects anew hears nothing.
    package func unplug() { connections.plug(false) }

    /// Lets everything through again, also what was sent meanwhile.
    package func plug() { connections.plug(true) }
}
