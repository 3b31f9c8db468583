import BatonClient
package import BatonCore
import Glibc

/// Reads lines or messages from a descriptor, such as the standard input, as they arrive.
package struct InputLines: ~Copyable {
    /// How the input is divided into lines or messages.
    package enum Framing {
        /// Lines of text that end with a newline.
        case lines
        /// Native messages, as browsers send them.
        case messages
    }

    let descriptor: Int32
    private let framing: Framing
    /// The buffers.
    ///
    /// Only the buffer that belongs to `framing` is used.
    private var (lines, messages) = (LineBuffer(), NativeMessageBuffer())
    /// Whether the input has ended.
    private(set) var isOver = false

    package init(_ descriptor: Int32 = STDIN_FILENO, _ framing: Framing = .lines) {
        (self.descriptor, self.framing) = (descriptor, framing)
    }

    /// Waits for the next line; returns nil at the end of the input.
    package mutating func next() throws(LocalFailure) -> LineBuffer.Line? {
        while true {
            if let line = arrived() { return line }
            if isOver { return nil }
            try read()
        }
    }

    /// Removes the next line from the buffer, without reading; returns nil if the buffer has no complete line.
    mutating func arrived() -> LineBuffer.Line? {
        switch framing {
        case .lines: lines.next() ?? (isOver ? lines.rest() : nil)
        case .messages: messages.next()
        }
    }

    /// Reads once; waits if no input is available.
    mutating func read() throws(LocalFailure) {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else {
            if errno == EINTR || errno == EAGAIN { return }
            throw LocalFailure(.failed, "Reading the standard input failed: \(SystemText.of(errno)).")
        }
        isOver = count == 0
        switch framing {
        case .lines: lines.feed(bytes.prefix(count))
        case .messages: messages.feed(bytes.prefix(count))
        }
    }
}
