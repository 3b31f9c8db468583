import BatonCore
import Glibc

/// The output of a stream, to which writing never blocks: a pipe, a file, a terminal or a socket.
///
/// The process that started this one shares the descriptor, so the flags of the descriptor are not changed.
struct StreamOutput: ~Copyable {
    /// The descriptor to poll.
    let descriptor: Int32
    private let way: Way
    /// Whether this code opened the descriptor, and must close it.
    private let isOwn: Bool

    /// A way to write without blocking.
    private enum Way {
        /// Writes all bytes in one call, because the descriptor does not block.
        case whole
        /// Writes with a flag of `send` that keeps this one call from blocking.
        case socket
        /// Writes pieces that are small enough to fit, if the descriptor was reported as ready.
        case pieces
    }

    /// The number of bytes that a pipe accepts at least, if it was reported as ready.
    private static let piece = 4096

    init(_ descriptor: Int32) {
        var status = stat()
        let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        switch kind {
        case S_IFSOCK: (self.descriptor, way, isOwn) = (descriptor, .socket, false)
        case S_IFIFO, S_IFCHR:
            // Opening the descriptor again gives it flags of its own, so the other process's flags stay unchanged.
            let opened = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
            let isOpened = opened >= 0
            (self.descriptor, way, isOwn) = (
                isOpened ? opened : descriptor, isOpened ? .whole : .pieces, isOpened
            )
        default: (self.descriptor, way, isOwn) = (descriptor, .whole, false)
        }
    }

    deinit {
        if isOwn { _ = close(descriptor) }
    }

    /// Writes the bytes that the output accepts without blocking; returns their number, which may be zero.
    func write(_ bytes: ArraySlice<UInt8>) throws(Refused) -> Int {
        let count = bytes.withUnsafeBytes { bytes in
            switch way {
            case .whole: Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            case .socket:
                Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            case .pieces: Glibc.write(descriptor, bytes.baseAddress, min(bytes.count, Self.piece))
            }
        }
        if count >= 0 { return count }
        guard errno == EINTR || errno == EAGAIN else { throw Refused(number: errno) }
        return 0
    }

    /// The error if the output accepts no more bytes, for example because its reader has ended.
    struct Refused: Error {
        let number: Int32
    }
}
