import BatonClient
package import BatonCore
import Glibc

/// Reads a line that must not be seen: at a terminal without echo, or from a descriptor.
package enum HiddenLine {
    /// The largest number of bytes of a line.
    private static let bytesMost = 4096

    /// Asks at the terminal of the standard input; returns nil if the person gives up with Ctrl+C or Ctrl+D.
    ///
    /// The terminal is always restored, because it passes on Ctrl+C as a byte meanwhile.
    package static func ask(_ question: String) throws(LocalFailure) -> [UInt8]? {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { throw failure("set up") }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        try Terminal.write(question + " ", to: STDERR_FILENO)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else { throw failure("set up") }
        let line = typedLine()
        guard tcsetattr(STDIN_FILENO, TCSADRAIN, &before) == 0 else { throw failure("restored") }
        try Terminal.write("\n", to: STDERR_FILENO)
        return line
    }

    /// Reads keys until Enter.
    private static func typedLine() -> [UInt8]? {
        var line: [UInt8] = []
        while let byte = nextByte(of: STDIN_FILENO) {
            switch byte {
            case 10, 13: return line
            case 3, 4, 28: return nil
            case 8, 127:
                // A character of more than one byte is removed as a whole.
                while let last = line.popLast(), last & 0xc0 == 0x80 {}
            case 21: line = []
            default: if line.count < bytesMost { line.append(byte) }
            }
        }
        return nil
    }

    /// Reads the next line of a descriptor; returns nil at its end.
    ///
    /// It is read byte by byte, so that what follows stays for others.
    package static func read(from descriptor: Int32) throws(LocalFailure) -> [UInt8]? {
        var line: [UInt8] = []
        errno = 0
        while let byte = nextByte(of: descriptor) {
            if byte == 10 { return line }
            if line.count < bytesMost { line.append(byte) }
        }
        guard errno == 0 else {
            throw LocalFailure(.usage, "Descriptor \(descriptor) can't be read: \(SystemText.of(errno)).")
        }
        return line.isEmpty ? nil : line
    }

    private static func nextByte(of descriptor: Int32) -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = Glibc.read(descriptor, &byte, 1)
            if count == 1 { return byte }
            if count == 0 {
                errno = 0
                return nil
            }
            guard errno == EINTR else { return nil }
        }
    }

    private static func failure(_ verb: String) -> LocalFailure {
        LocalFailure(.failed, "The terminal can't be \(verb): \(SystemText.of(errno)).")
    }
}
