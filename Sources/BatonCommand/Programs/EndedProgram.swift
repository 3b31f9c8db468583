import Glibc

/// Waits for programs that this program has started.
enum EndedProgram {
    /// Waits until a program has ended, and returns its exit status.
    ///
    /// If a signal ended the program, the result is 128 plus the number of the signal, as in shells. If waiting fails,
    /// the result is nil, and `errno` says why.
    static func status(of process: pid_t) -> Int32? {
        var raw: Int32 = 0
        while waitpid(process, &raw, 0) < 0 {
            guard errno == EINTR else { return nil }
        }
        return raw & 0x7f == 0 ? raw >> 8 & 0xff : 128 + (raw & 0x7f)
    }
}
