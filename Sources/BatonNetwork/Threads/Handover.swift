/// Passes one value to a thread that waits for the value.
package final class Handover<Value: Sendable>: Sendable {
    private let monitor = Monitor<Value?>(nil)

    package init() {}

    /// Stores the value for the waiting thread; called only once.
    package func leave(_ value: Value) {
        monitor.change { left in
            precondition(left == nil, "a value was handed over twice")
            left = value
        }
    }

    /// Waits until the value is there, and takes it.
    package func take() -> Value {
        monitor.wait { left in
            defer { left = nil }
            return left
        }
    }
}
