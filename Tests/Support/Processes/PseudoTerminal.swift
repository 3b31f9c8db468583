import Glibc

/// A terminal at which a test types, and whose other end is the standard input of a program, and its output if the
/// test wants that.
package final class PseudoTerminal {
    private let near: Int32
    /// Held open, so that input typed before the program has opened the terminal is not lost.
    private let far: Int32
    /// The program's output that was read so far.
    private var shown: [UInt8] = []
    private var height = 24
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
    /// Linux's TIOCSWINSZ.
    private static let setSize: UInt = 0x5414

    /// Types a line.
    package func type(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        write(near, bytes, bytes.count)
    }

    /// Types bytes as they are.
    package func press(_ keys: String) {
        let bytes = Array(keys.utf8)
        write(near, bytes, bytes.count)
    }

    /// Sets the size in cells; the program must be told by a signal.
    package func resize(width: Int, height: Int) throws {
        var size = winsize(
            ws_row: UInt16(height), ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
        guard ioctl(far, Self.setSize, &size) == 0 else { throw SystemError("resize a terminal") }
        self.height = height
    }

    /// Everything that was shown so far.
    package var output: String {
        var (buffer, question) = (
            [UInt8](repeating: 0, count: 1 << 16), pollfd(fd: near, events: 1, revents: 0)
        )
        while poll(&question, 1, 0) > 0, question.revents & 1 != 0 {
            let count = read(near, &buffer, buffer.count)
            guard count > 0 else { break }
            shown += buffer.prefix(count)
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// The lines of the screen as they were when the cursor was last shown, without colours.
    ///
    /// It knows as much of a terminal as the live screens use.
    package var screen: [String] {
        var (rows, row, wasShown) = ([""], 0, [String]())
        var rest = output[...]
        while let match = rest.firstMatch(of: /\u{1b}\[(\??[0-9;]*)([A-Za-z])|\r\n/) {
            rows[row] += rest[..<match.range.lowerBound]
            rest = rest[match.range.upperBound...]
            let place = match.1?.split(separator: ";").first.flatMap { Int($0) } ?? 1
            switch (match.1, match.2) {
            case (nil, _): row += 1
            case (_, "H"?): row = place - 1
            case ("2"?, "K"?): rows[row] = ""
            case (_, "J"?): rows.replaceSubrange(row..., with: [""])
            case ("?25"?, "h"?): wasShown = Array(rows.prefix(height))
            case ("?1049"?, _): (rows, row) = ([""], 0)
            default: break
            }
            while rows.count <= row { rows.append("") }
        }
        return wasShown
    }

    /// The modes of the terminal that a program may change: input, output, control and local ones.
    package var modes: [UInt32] {
        get throws {
            var settings = termios()
            guard tcgetattr(far, &settings) == 0 else { throw SystemError("read the modes of a terminal") }
            return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
        }
    }

    /// Sets the modes of the terminal, as a shell does before it prompts.
    package func setModes(_ modes: [UInt32]) throws {
        var settings = termios()
        guard tcgetattr(far, &settings) == 0 else { throw SystemError("read the modes of a terminal") }
        (settings.c_iflag, settings.c_oflag) = (modes[0], modes[1])
        (settings.c_cflag, settings.c_lflag) = (modes[2], modes[3])
        guard tcsetattr(far, TCSANOW, &settings) == 0 else { throw SystemError("set up a terminal") }
    }

    /// Types the end of the input.
    package func end() { write(near, [4], 1) }
}
