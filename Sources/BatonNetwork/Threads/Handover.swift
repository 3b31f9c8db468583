/// Hands one value to a thread that waits for it.
package final class Handover<Value: Sendable>: Sendable {
    private let monitor = Monitor<Value?>(nil)

    package init() {}

    /// Hands the value over; called once.
    package func leave(_ value: Value) {
        monitor.change { left in
            precondition(left == nil, "a value was handed over twice")
            left = value
        }
    }

    /// Waits for the value and takes it.
    package func take() -> Value {
        monitor.wait { left in
            defer { left = nil }
            return left
        }
    }
}
