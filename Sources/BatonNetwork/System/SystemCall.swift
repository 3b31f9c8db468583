import CLinux
import Glibc

/// Makes system calls: repeats a call that a signal has interrupted, and turns error numbers into Swift errors.
enum SystemCall {
    /// Makes a call that can fail, and throws its error; the message of the error names the operation.
    @discardableResult
    static func run<Value: SignedInteger>(
        _ operation: @autoclosure () -> String, _ call: () -> Value
    ) throws(NetworkError) -> Value {
        let (value, number) = attempt(call)
        guard value >= 0 else { throw NetworkError(number: number, operation: operation()) }
        return value
    }

    /// Makes a call whose errors the caller handles; the error number is valid only if the value is negative.
    static func attempt<Value: SignedInteger>(_ call: () -> Value) -> (value: Value, error: Int32) {
        while true {
            let value = call()
            guard value < 0 else { return (value, 0) }
            let number = errno
            if number != EINTR { return (value, number) }
        }
    }

    /// Makes a call that can fail only because of a bug in this program, such as a descriptor that the program does not
    /// own.
    ///
    /// Use `run` or `attempt` for a call that can fail for other reasons, such as lack of memory, a system call filter,
    /// or an argument that comes from outside.
    static func must(_ operation: StaticString, _ call: () -> Int32) {
        let (value, number) = attempt(call)
        precondition(value >= 0, "\(operation) failed with error \(number), which means a bug here")
    }
}
