import CLinux
import Glibc

/// How large a terminal is, in cells.
package struct TerminalSize: Equatable, Sendable {
    package let width, height: Int

    /// The size of the terminal behind a descriptor, as far as the kernel knows it.
    package static func find(of descriptor: Int32) -> TerminalSize? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return TerminalSize(width: Int(size.ws_col), height: Int(size.ws_row))
    }
}
