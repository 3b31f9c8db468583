import Glibc
import Support
import Testing

/// A journal that is acted: a socket for datagrams in a folder, and a pipe in the place of standard error.
final class JournalSocket {
    private let folder: TemporaryFolder
    private let socket: Int32
    private let pipe: (reading: Int32, writing: Int32)

    var path: String { folder.path + "/socket" }
    var errors: Int32 { pipe.writing }

    init(isListening: Bool = true) throws {
        folder = try TemporaryFolder()
        var ends: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        pipe = (ends[0], ends[1])
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        guard isListening else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        try #require(bytes.count < MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        // A test fails rather than wait for ever.
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        for descriptor in [socket, pipe.reading, pipe.writing] { close(descriptor) }
    }

    /// Returns the fields of the next entry, also of one that came as a file.
    func fields() throws -> [String: String] {
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        var control = [UInt8](repeating: 0, count: 64)
        let capacity = bytes.count
        let (count, controlCount) = bytes.withUnsafeMutableBytes { bytes in
            control.withUnsafeMutableBytes { control in
                var part = iovec(iov_base: bytes.baseAddress, iov_len: capacity)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    (message.msg_iov, message.msg_iovlen) = (part, 1)
                    (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
                    return (recvmsg(socket, &message, 0), message.msg_controllen)
                }
            }
        }
        try #require(count >= 0, "nothing came")
        guard controlCount > 0 else { return Self.fields(Array(bytes.prefix(count))) }
        let header = MemoryLayout<cmsghdr>.size
        let file = control.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: header, as: Int32.self) }
        defer { close(file) }
        let size = Int(lseek(file, 0, SEEK_END))
        var content = [UInt8](repeating: 0, count: size)
        try #require(pread(file, &content, size, 0) == size)
        return Self.fields(content)
    }

    /// Reads entries as the journal does.
    private static func fields(_ bytes: [UInt8]) -> [String: String] {
        var (result, rest): ([String: String], ArraySlice<UInt8>) = ([:], bytes[...])
        let (newline, equals) = (UInt8(ascii: "\n"), UInt8(ascii: "="))
        while let end = rest.firstIndex(where: { $0 == newline || $0 == equals }) {
            let name = String(decoding: rest[..<end], as: UTF8.self)
            let value: ArraySlice<UInt8>
            if rest[end] == equals {
                value = rest[end...].dropFirst().prefix { $0 != newline }
            } else {
                let length = rest[end...].dropFirst().prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
                value = rest[end...].dropFirst(9).prefix(length)
            }
            result[name] = String(decoding: value, as: UTF8.self)
            rest = rest[value.endIndex...].dropFirst()
        }
        return result
    }

    /// Returns what was written to standard error so far; at least one line.
    func errorText() -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(pipe.reading, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
