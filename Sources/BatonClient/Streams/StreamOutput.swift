import BatonCore
import Glibc

/// Where the bytes of a stream go: a pipe, a file, a terminal or a socket, to which a write never waits.
///
/// The descriptor belongs to whoever started this program, too, so its own flags are left as they are.
struct StreamOutput: ~Copyable {
    /// What is asked whether it can take something.
    let descriptor: Int32
    private let way: Way
    /// Whether the descriptor was opened here, and is to be closed.
    private let isOwn: Bool

    /// How to write without waiting.
    private enum Way {
        /// As much as there is: it takes all without waiting, or what it can.
        case whole
        /// With a flag for the one call.
        case socket
        /// So little that what is ready to be written to takes it whole.
        case pieces
    }

    /// What a pipe that is ready takes at the least.
    private static let piece = 4096

    init(_ descriptor: Int32) {
        var status = stat()
        let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        switch kind {
        case S_IFSOCK: (self.descriptor, way, isOwn) = (descriptor, .socket, false)
        case S_IFIFO, S_IFCHR:
            // Opened anew it has flags of its own.
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

    /// Writes what is taken at once, which may be nothing; answers with how much, or throws the error's number.
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

    /// It takes no bytes any more.
    struct Refused: Error {
        let number: Int32
    }
}
