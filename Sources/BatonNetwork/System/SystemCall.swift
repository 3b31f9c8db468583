import CLinux
import Glibc

/// Calls to the kernel, with interruption by signals dealt with and failure told in Swift's terms.
enum SystemCall {
    /// Makes a call that can fail, again when a signal interrupted it, and throws what went wrong.
    ///
    /// The operation is told to people in the error's message.
    @discardableResult
    static func run<Value: SignedInteger>(
        _ operation: @autoclosure () -> String, _ call: () -> Value
    ) throws(NetworkError) -> Value {
        let (value, number) = attempt(call)
        guard value >= 0 else { throw NetworkError(number: number, operation: operation()) }
        return value
    }

    /// Makes a call for which some failures are answers, again when a signal interrupted it.
    ///
    /// The error number means something only if the value is negative.
    static func attempt<Value: SignedInteger>(_ call: () -> Value) -> (value: Value, error: Int32) {
        while true {
            let value = call()
            guard value < 0 else { return (value, 0) }
            let number = errno
            if number != EINTR { return (value, number) }
        }
    }

    /// Makes a call that fails only if this program is wrong: on a descriptor that it does not own, with a value that
    /// no kernel knows.
    ///
    /// A call that can fail for want of memory, because of a filter, or with an argument that came from outside goes
    /// through `run` or `attempt`.
    static func must(_ operation: StaticString, _ call: () -> Int32) {
        let (value, number) = attempt(call)
        precondition(value >= 0, "\(operation) failed with error \(number), which means a bug here")
    }
}
