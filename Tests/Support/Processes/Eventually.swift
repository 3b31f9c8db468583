import Glibc

/// A deadline passed before something came to be.
package struct DeadlinePassed: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

/// Asks again and again until there is an answer; throws, with what was awaited, when the time is over.
///
/// It has a name of its own, lest a claim that is false be taken for an answer.
///
/// For what happens in other processes and tells nobody. Half a minute is never needed, and long enough for a
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

/// Asks again and again until the claim is true.
package func eventually(
    _ what: @autoclosure () -> String, within time: Duration = .seconds(30), _ claim: () throws -> Bool
) throws {
    _ = try eventual(what(), within: time, attempt: { try claim() ? true : nil })
}
