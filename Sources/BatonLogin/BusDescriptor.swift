import Glibc

/// An open descriptor that a service has passed to this process; it is closed when the value ends, and when another
/// program is executed.
package struct BusDescriptor: ~Copyable, Sendable {
    private let number: Int32

    init(owning number: Int32) { self.number = number }

    deinit { _ = close(number) }
}
