import Glibc

/// Reads an open file that should be small.
enum SmallFile {
    /// Why a file was not read.
    enum Failure: Error {
        case tooLarge
        case refused(Int32)
    }

    /// Reads to the end, at most this many bytes.
    static func read(_ descriptor: Int32, most: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count <= most {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count > 0 {
                bytes += buffer.prefix(count)
            } else if errno != EINTR {
                throw .refused(errno)
            }
        }
        throw .tooLarge
    }
}
