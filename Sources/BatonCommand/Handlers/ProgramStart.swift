import BatonClient
package import BatonCore
import Glibc

/// Replaces this process with another program.
package enum ProgramStart {
    /// Replaces this process with a program.
    ///
    /// It returns only in tests, where it is another function.
    package typealias Start = ([String]) throws(LocalFailure) -> Void

    /// Replaces this process with a program, which is looked up in `PATH` as a shell does.
    ///
    /// The program takes over the terminal, the standard streams, the signals and the exit status.
    package static func replaceThisProcess(_ words: [String]) throws(LocalFailure) {
        guard let program = words.first else { return }
        var copies = words.map { strdup($0) } + [nil]
        execvp(program, &copies)
        let number = errno
        for copy in copies { free(copy) }
        throw failure(program, number)
    }

    /// Throws if it is certain that a program can't be started.
    ///
    /// Without a `PATH`, nothing is certain.
    package static func check(_ words: [String], path: String?) throws(LocalFailure) {
        guard let program = words.first, let path else { return }
        let files =
            program.contains("/")
            ? [program]
            : path.split(separator: ":", omittingEmptySubsequences: false).map {
                $0.isEmpty ? program : "\($0)/\(program)"
            }
        var number = ENOENT
        for file in files {
            guard access(file, X_OK) != 0 else { return }
            if errno != ENOENT && errno != ENOTDIR { number = errno }
        }
        throw failure(program, number)
    }

    /// Whether a program is found in `PATH`.
    package static func isThere(_ program: String, path: String?) -> Bool {
        guard let path else { return false }
        return path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
    }

    /// The exit status that a shell has if it can't start a program.
    ///
    /// The status is 127 if the program does not exist, and otherwise 126.
    static func status(_ number: Int32) -> Int32 { number == ENOENT ? 127 : 126 }

    /// Creates the failure for a program that could not be started.
    static func failure(_ program: String, _ number: Int32) -> LocalFailure {
        let name = VisibleText(program).text
        return LocalFailure(
            .failed,
            number == ENOENT && !program.contains("/")
                ? "The program \(name) is not installed, or not on PATH."
                : "\(name) can't be started: \(SystemText.of(number)).")
    }
}
