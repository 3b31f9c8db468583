import CLinux
import Glibc

/// The path of a Unix socket, which may be too long for a socket address.
///
/// A socket address has space for 107 bytes. For a longer path, the folder of the socket is opened during the call, and
/// the short path `/proc/self/fd/N/NAME` is used.
struct UnixPath: Sendable {
    let path: String

    init(_ path: String) { self.path = path }

    /// The folder of the socket.
    var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The name of the socket in its folder.
    var name: Substring { path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...] }

    /// The length of the longest path that fits into a socket address, without the zero at its end.
    private static let bytesMost = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// Connects a socket to the path; returns zero, or -1 and the error number.
    func connect(_ socket: borrowing FileDescriptor) -> (result: Int32, error: Int32) {
        let file = socket.number
        return unsafe call { address, length in unsafe Glibc.connect(file, address, length) }
    }

    /// Binds a socket to the path, which creates the file; returns zero, or -1 and the error number.
    func bind(_ socket: borrowing FileDescriptor) -> (result: Int32, error: Int32) {
        let file = socket.number
        return unsafe call { address, length in unsafe Glibc.bind(file, address, length) }
    }

    /// Connects a socket to the path; a path that begins with `@` is an abstract name.
    func connectOrName(_ socket: borrowing FileDescriptor) -> (result: Int32, error: Int32) {
        guard path.hasPrefix("@") else { return connect(socket) }
        let (file, name) = (socket.number, "\0" + path.dropFirst())
        guard name.utf8.count <= Self.bytesMost else { return (-1, ENAMETOOLONG) }
        let length = MemoryLayout<sockaddr_un>.size - Self.bytesMost - 1 + name.utf8.count
        return unsafe Self.call(name) { address, _ in unsafe Glibc.connect(file, address, socklen_t(length)) }
    }

    /// Makes a system call that takes the path as a socket address.
    private func call(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> (result: Int32, error: Int32) {
        // An empty path would be the name of an abstract socket, which has no file.
        guard !name.isEmpty, !path.utf8.contains(0) else { return (-1, EINVAL) }
        if path.utf8.count <= Self.bytesMost { return unsafe Self.call(path, body) }
        do throws(NetworkError) {
            let opened = try FileDescriptor.open(folder, flags: O_RDONLY | O_DIRECTORY)
            let short = "/proc/self/fd/\(opened.number)/\(name)"
            guard short.utf8.count <= Self.bytesMost else { return (-1, ENAMETOOLONG) }
            return unsafe Self.call(short, body)
        } catch {
            return (-1, error.number)
        }
    }

    /// Makes a system call with a path that is short enough for a socket address.
    private static func call(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> (result: Int32, error: Int32) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let (result, error) = unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                SystemCall.attempt { unsafe body(pointer, socklen_t(MemoryLayout<sockaddr_un>.size)) }
            }
        }
        return (result, error)
    }
}

extension UnixPath {
    /// Reads the path to which a socket is bound; nil if the socket has no file.
    init?(of socket: borrowing FileDescriptor) {
        var (address, length) = (sockaddr_un(), socklen_t(MemoryLayout<sockaddr_un>.size))
        let file = socket.number
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(file, $0, &length)
            }
        }
        guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        let path = unsafe withUnsafeBytes(of: &address.sun_path) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard !path.isEmpty else { return nil }
        self.init(path)
    }

    /// Returns whether both paths lead to the same file.
    func leads(toFileOf other: UnixPath) -> Bool {
        var (one, another) = (stat(), stat())
        return unsafe stat(path, &one) == 0 && stat(other.path, &another) == 0 && one.st_dev == another.st_dev
            && one.st_ino == another.st_ino
    }
}
