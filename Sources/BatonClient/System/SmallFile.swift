import Glibc

/// Reads open files that should be small.
package enum SmallFile {
    /// Why a file was not read.
    package enum Failure: Error {
        case tooLarge
        case refused(Int32)
    }

    /// Reads the whole file; throws if it has more than this number of bytes.
    package static func read(_ descriptor: Int32, most: Int) throws(Failure) -> [UInt8] {
        let bytes = try beginning(descriptor, most: most + 1)
        guard bytes.count <= most else { throw .tooLarge }
        return bytes
    }

    /// Reads the beginning of a file, up to this number of bytes.
    package static func beginning(_ descriptor: Int32, most: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count < most {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { break }
            if count > 0 {
                bytes += buffer.prefix(min(count, most - bytes.count))
            } else if errno != EINTR {
                throw .refused(errno)
            }
        }
        return bytes
    }
}
