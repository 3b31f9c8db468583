import Glibc

/// An error for a deadline that passed before something happened.
package struct DeadlinePassed: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

/// Calls the closure again and again until it returns a value; throws, naming what was awaited, when the time is over.
///
/// It has a name of its own, so that a false claim is not mistaken for a value.
///
/// It is for events in other processes that report to nobody. Half a minute is never needed, and long enough for a
/// machine that is busy with other tests.
package func eventual<Value>(
    _ what: @autoclosure () -> String, within time: Duration = .seconds(30), attempt: () throws -> Value?
) throws -> Value {
    let deadline = ContinuousClock.now + time
    while true {
        if let value = try attempt() { return value }
        guard ContinuousClock.now < deadline else {
            throw DeadlinePassed(description: "not within \(time): \(what())")
        }
        usleep(2000)
    }
}

/// Checks again and again until the claim is true.
package func eventually(
    _ what: @autoclosure () -> String, within time: Duration = .seconds(30), _ claim: () throws -> Bool
) throws {
    _ = try eventual(what(), within: time, attempt: { try claim() ? true : nil })
}
