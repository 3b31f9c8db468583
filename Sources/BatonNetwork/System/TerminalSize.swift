import CLinux
import Glibc

/// The size of a terminal, in character cells.
package struct TerminalSize: Equatable, Sendable {
    package let width, height: Int

    /// Returns the size of a terminal; nil if the descriptor is not a terminal, or the size is not known.
    package static func find(of descriptor: Int32) -> TerminalSize? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return TerminalSize(width: Int(size.ws_col), height: Int(size.ws_row))
    }
}
