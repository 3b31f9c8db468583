package import BatonCore
import Glibc

/// Becomes another program.
package enum ProgramStart {
    /// Becomes the program of these words; returns only where a test stands in for it.
    package typealias Start = ([String]) throws(LocalFailure) -> Void

    /// This process goes on as that program, found on `PATH` as a shell would; terminal, streams, signals and the exit
    /// status are then the program's.
    package static func replaceThisProcess(_ words: [String]) throws(LocalFailure) {
        guard let program = words.first else { return }
        var copies = words.map { strdup($0) } + [nil]
        execvp(program, &copies)
        let number = errno
        for copy in copies { free(copy) }
        throw failure(program, number)
    }

    /// The status with which a shell says that a program can't be started: 127 if there is none, else 126.
    static func status(_ number: Int32) -> Int32 { number == ENOENT ? 127 : 126 }

    /// A program can't be started, and why.
    static func failure(_ program: String, _ number: Int32) -> LocalFailure {
        let name = VisibleText(program).text
        return LocalFailure(
            .failed,
            number == ENOENT && !program.contains("/")
                ? "The program \(name) is not installed, or not on PATH."
                : "\(name) can't be started: \(SystemText.of(number)).")
    }
}
