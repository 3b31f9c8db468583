import CLinux
import Glibc

/// The file of a program, as it is on the disk.
package struct ProgramFile: Equatable, Sendable {
    /// The whole path.
    package let path: String
    /// A text that is another one once another version of the program has taken the place of this one.
    ///
    /// It has the number of the file, its size, and the time when the file system last changed something about it.
    /// Package managers set the other time of a file, that of its content, to a date in the past. The number of the
    /// device is left out, because it may be another one after a restart of the machine.
    package let state: String

    /// Looks at a file; nil if there is none.
    package init?(at path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.path = path
        state = "\(status.st_ino)-\(status.st_size)-\(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)"
    }
}
