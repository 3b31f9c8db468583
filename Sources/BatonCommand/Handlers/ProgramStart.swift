import BatonClient
package import BatonCore
import Glibc

/// Replaces this process with another program.
package enum ProgramStart {
    /// Replaces this process with a program; returns only in tests.
    package typealias Start = ([String]) throws(LocalFailure) -> Void

    /// Replaces this process with a program, found on `PATH` as a shell would; terminal, streams, signals and the exit
    /// status become the program's.
    package static func replaceThisProcess(_ words: [String]) throws(LocalFailure) {
        guard let program = words.first else { return }
        var copies = words.map { strdup($0) } + [nil]
        execvp(program, &copies)
        let number = errno
        for copy in copies { free(copy) }
        throw failure(program, number)
    }

    /// Throws if a program certainly can't be started; without a `PATH`, the system decides.
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

    /// The exit status of a shell for a program that can't be started: 127 if it does not exist, else 126.
    static func status(_ number: Int32) -> Int32 { number == ENOENT ? 127 : 126 }

    /// The failure to start a program.
    static func failure(_ program: String, _ number: Int32) -> LocalFailure {
        let name = VisibleText(program).text
        return LocalFailure(
            .failed,
            number == ENOENT && !program.contains("/")
                ? "The program \(name) is not installed, or not on PATH."
                : "\(name) can't be started: \(SystemText.of(number)).")
    }
}
