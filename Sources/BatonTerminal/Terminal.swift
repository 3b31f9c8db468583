import BatonClient
package import BatonCore
import BatonNetwork
import Glibc

/// The terminals behind the descriptors of this process.
package enum Terminal {
    /// Returns the size of the terminal behind a descriptor in cells, or nil if it is not a terminal.
    package static func size(of descriptor: Int32) -> (width: Int, height: Int)? {
        guard isatty(descriptor) == 1 else { return nil }
        if let size = TerminalSize.find(of: descriptor) { return (size.width, size.height) }
        return (number("COLUMNS") ?? 80, number("LINES") ?? 24)
    }

    /// Whether bold, dim and coloured text may be written to a descriptor: only to a terminal that supports them, and
    /// not if the person has set NO_COLOR (https://no-color.org).
    package static func hasStyle(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && (Environment.variable("NO_COLOR") ?? "").isEmpty
            && ![nil, "", "dumb"].contains(Environment.variable("TERM"))
    }

    /// A number of cells from the environment.
    private static func number(_ variable: String) -> Int? {
        Environment.variable(variable).flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Writes all of the text.
    package static func write(_ text: String, to descriptor: Int32) throws(LocalFailure) {
        try write(Array(text.utf8), to: descriptor)
    }

    /// Writes all of the bytes.
    package static func write(_ all: [UInt8], to descriptor: Int32) throws(LocalFailure) {
        var bytes = all[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR {
                throw LocalFailure(.failed, "Writing the output failed: \(SystemText.of(errno)).")
            }
        }
    }
}
