/// Hands one value from a thread to another, which waits for it.
package final class Handover<Value: Sendable>: Sendable {
    private let monitor = Monitor<Value?>(nil)

    package init() {}

    /// Leaves the value for who waits; it is left once.
    package func leave(_ value: Value) {
        monitor.change { left in
            precondition(left == nil, "a value is handed over once")
            left = value
        }
    }

    /// Waits for the value, and takes it.
    package func take() -> Value {
        monitor.wait { left in
            defer { left = nil }
            return left
        }
    }
}
