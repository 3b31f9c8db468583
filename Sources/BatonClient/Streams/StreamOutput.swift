import BatonCore
import Glibc

/// The output of a stream: a pipe, a file, a terminal or a socket, on which a write never blocks.
///
/// The descriptor is shared with the process that started this one, so its flags are left unchanged.
struct StreamOutput: ~Copyable {
    /// The descriptor to poll.
    let descriptor: Int32
    private let way: Way
    /// Whether the descriptor was opened here, and must be closed.
    private let isOwn: Bool

    /// How to write without blocking.
    private enum Way {
        /// In one call: the descriptor does not block.
        case whole
        /// With a flag in each call that keeps it from blocking.
        case socket
        /// In pieces that are small enough for a ready descriptor to accept them whole.
        case pieces
    }

    /// The least number of bytes that a ready pipe accepts.
    private static let piece = 4096

    init(_ descriptor: Int32) {
        var status = stat()
        let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        switch kind {
        case S_IFSOCK: (self.descriptor, way, isOwn) = (descriptor, .socket, false)
        case S_IFIFO, S_IFCHR:
            // A descriptor that is opened again has its own flags, so that the other process's flags stay as they are.
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

    /// Writes as much as is accepted without blocking; returns the number of bytes, which may be zero.
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

    /// The output accepts no more bytes.
    struct Refused: Error {
        let number: Int32
    }
}
