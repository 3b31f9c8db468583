package import BatonCore
import Glibc

/// The lines that a script writes to the standard input, as they come.
package struct InputLines: ~Copyable {
    private let input: Int32
    private var buffer = LineBuffer()
    private var isOver = false

    package init(_ input: Int32 = STDIN_FILENO) { self.input = input }

    /// The next line, which is waited for; nothing at the end.
    package mutating func next() throws(LocalFailure) -> LineBuffer.Line? {
        while true {
            if let line = buffer.next() { return line }
            if isOver { return buffer.rest() }
            var bytes = [UInt8](repeating: 0, count: 64 << 10)
            let count = read(input, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw LocalFailure(.failed, "The standard input can't be read: \(SystemText.of(errno)).")
            }
            isOver = count == 0
            buffer.feed(bytes.prefix(count))
        }
    }
}
