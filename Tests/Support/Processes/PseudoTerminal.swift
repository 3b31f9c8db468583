import Glibc

/// A terminal at which a test types, and whose other end is the standard input of a program.
package final class PseudoTerminal {
    private let near: Int32
    /// Held open, so that input typed before the program has opened the terminal is not lost.
    private let far: Int32
    /// The path at which the program opens it.
    package let path: String

    /// Creates a terminal that does not echo.
    package init() throws {
        near = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (lock, number): (Int32, Int32) = (0, 0)
        guard near >= 0, ioctl(near, Self.setLock, &lock) == 0, ioctl(near, Self.getNumber, &number) == 0
        else { throw SystemError("make a terminal") }
        path = "/dev/pts/\(number)"
        far = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        var settings = termios()
        guard far >= 0, tcgetattr(far, &settings) == 0 else { throw SystemError("open a terminal") }
        settings.c_lflag &= ~tcflag_t(ECHO)
        guard tcsetattr(far, TCSANOW, &settings) == 0 else { throw SystemError("set up a terminal") }
    }

    deinit {
        close(near)
        if far >= 0 { close(far) }
    }

    /// Linux's TIOCSPTLCK and TIOCGPTN, which are macros that Swift does not see.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    /// Types a line.
    package func type(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        write(near, bytes, bytes.count)
    }

    /// Types the end of the input.
    package func end() { write(near, [4], 1) }
}
