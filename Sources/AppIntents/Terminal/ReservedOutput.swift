import BatonClient
import BatonCore
import BatonTerminal
import Glibc

/// Keeps the standard output for the value that `--json` prints.
///
/// The app's own output goes to the standard error until the process ends, because buffers of the C library are written
/// last.
enum ReservedOutput {
    /// Takes the standard output from the app, and returns a console that writes to it.
    static func console() throws(LocalFailure) -> Console {
        fflush(nil)
        let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        guard output >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
            throw LocalFailure(
                .failed, "The standard output can't be kept for JSON: \(SystemText.of(errno)).")
        }
        return Console(
            width: { nil }, errorWidth: { Terminal.size(of: STDERR_FILENO)?.width },
            output: { (text) throws(LocalFailure) in try Terminal.write(text, to: output) },
            errors: { (text) throws(LocalFailure) in try Terminal.write(text, to: STDERR_FILENO) })
    }
}
