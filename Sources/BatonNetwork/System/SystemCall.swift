import CLinux
import Glibc

/// Makes system calls: repeats calls that a signal interrupts, and turns error numbers into Swift errors.
enum SystemCall {
    /// Makes a call that can fail, and throws its error; the operation becomes part of the error's message.
    @discardableResult
    static func run<Value: SignedInteger>(
        _ operation: @autoclosure () -> String, _ call: () -> Value
    ) throws(NetworkError) -> Value {
        let (value, number) = attempt(call)
        guard value >= 0 else { throw NetworkError(number: number, operation: operation()) }
        return value
    }

    /// Makes a call some of whose errors the caller handles; the error number is valid only if the value is negative.
    static func attempt<Value: SignedInteger>(_ call: () -> Value) -> (value: Value, error: Int32) {
        while true {
            let value = call()
            guard value < 0 else { return (value, 0) }
            let number = errno
            if number != EINTR { return (value, number) }
        }
    }

    /// Makes a call that fails only because of a bug in this program, such as a descriptor that it does not own.
    ///
    /// A call that can fail for want of memory, because of a system call filter, or because of an argument from outside
    /// goes through `run` or `attempt`.
    static func must(_ operation: StaticString, _ call: () -> Int32) {
        let (value, number) = attempt(call)
        precondition(value >= 0, "\(operation) failed with error \(number), which means a bug here")
    }
}
