import Glibc

/// Writes log entries to the journal of the machine, or to standard error if there is no journal.
package final class LogOutput: Sendable {
    /// The output that this process uses.
    static let shared = LogOutput(
        journal: "/run/systemd/journal/socket", errors: STDERR_FILENO,
        showsPrivate: unsafe getenv("BATON_LOG_PRIVATE").map { unsafe String(cString: $0) } == "1")

    private let journal: String
    private let errors: Int32
    /// Whether private values are shown; otherwise, they are hidden.
    let showsPrivate: Bool
    /// The socket that sends datagrams to the journal; -1 if it could not be created.
    private let socket: Int32
    private let program: String

    /// Creates an output.
    ///
    /// It writes to the journal whose socket is at this path, or to a file descriptor if there is no journal.
    package init(journal: String, errors: Int32, showsPrivate: Bool) {
        (self.journal, self.errors, self.showsPrivate) = (journal, errors, showsPrivate)
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        program = CommandLine.arguments.first?.split(separator: "/").last.map { String($0) } ?? "swift"
    }

    deinit { if socket >= 0 { close(socket) } }

    package func write(_ entry: LogEntry) {
        let datagram = entry.datagram(of: program)
        switch send(datagram) {
        case 0: return
        // The entry is too large for a datagram.
        case EMSGSIZE, ENOBUFS: if sendAsFile(datagram) { return }
        default: break
        }
        writeToErrors(entry.text)
    }

    /// Sends a datagram to the journal; returns 0, or the number of the error.
    private func send(_ datagram: [UInt8]) -> Int32 {
        unsafe datagram.withUnsafeBytes { bytes in
            var part = unsafe iovec(
                iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
            return unsafe withUnsafeMutablePointer(to: &part) { part in
                var message = unsafe msghdr()
                unsafe message.msg_iov = part
                unsafe message.msg_iovlen = 1
                return unsafe send(&message)
            }
        }
    }

    /// Sends a message to the journal's socket.
    private func send(_ message: inout msghdr) -> Int32 {
        var address = sockaddr_un()
        let path = Array(journal.utf8)
        guard socket >= 0, path.count < MemoryLayout.size(ofValue: address.sun_path) else { return EBADF }
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        return unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe message.msg_name = UnsafeMutableRawPointer(address)
            unsafe message.msg_namelen = socklen_t(MemoryLayout<sockaddr_un>.size)
            while unsafe sendmsg(socket, &message, Int32(MSG_NOSIGNAL)) < 0 {
                if errno != EINTR { return errno }
            }
            return 0
        }
    }

    /// Writes the datagram to a file and sends the file's descriptor; returns whether the journal received it.
    ///
    /// The journal accepts such files from this folder. The file is unlinked before it is written, so that no other
    /// program can open it.
    private func sendAsFile(_ datagram: [UInt8]) -> Bool {
        var name = Array("/dev/shm/journal.XXXXXX".utf8CString)
        let file = unsafe mkstemp(&name)
        guard file >= 0 else { return false }
        defer { close(file) }
        guard unsafe unlink(name) == 0, fcntl(file, F_SETFD, FD_CLOEXEC) == 0, Self.write(datagram, to: file)
        else { return false }
        // The control message consists of its length, its level, its kind and the descriptor.
        let header = MemoryLayout<cmsghdr>.size
        let control = UnsafeMutableRawBufferPointer.allocate(
            byteCount: header + MemoryLayout<Int>.size, alignment: MemoryLayout<cmsghdr>.alignment)
        defer { unsafe control.deallocate() }
        unsafe control.initializeMemory(as: UInt8.self, repeating: 0)
        var value = cmsghdr()
        value.cmsg_len = header + MemoryLayout<Int32>.size
        (value.cmsg_level, value.cmsg_type) = (SOL_SOCKET, Int32(SCM_RIGHTS))
        unsafe control.storeBytes(of: value, as: cmsghdr.self)
        unsafe control.storeBytes(of: file, toByteOffset: header, as: Int32.self)
        var message = unsafe msghdr()
        unsafe message.msg_control = control.baseAddress
        unsafe message.msg_controllen = control.count
        return unsafe send(&message) == 0
    }

    /// Writes to standard error; a failure is ignored, because there is nowhere else to report it.
    private func writeToErrors(_ text: String) { _ = Self.write(Array(text.utf8), to: errors) }

    private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
