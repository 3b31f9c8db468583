import Glibc

/// The ends of programs that this one has started.
enum EndedProgram {
    /// Waits for the end of a program, and returns its exit status, or 128 plus the number of the signal that ended it,
    /// as shells report it; nil if it can't be waited for, and `errno` says why.
    static func status(of process: pid_t) -> Int32? {
        var raw: Int32 = 0
        while waitpid(process, &raw, 0) < 0 {
            guard errno == EINTR else { return nil }
        }
        return raw & 0x7f == 0 ? raw >> 8 & 0xff : 128 + (raw & 0x7f)
    }
}
