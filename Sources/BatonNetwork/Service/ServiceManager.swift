import CLinux
import Glibc

/// The service manager that started this process and wants to know the state of this process.
///
/// The state is sent as a datagram to the socket that `NOTIFY_SOCKET` names. Each line of the datagram has one value.
package struct ServiceManager: Sendable {
    /// The address of the manager's socket: a path, or `@` and an abstract name.
    private let address: String

    package init(at address: String) { self.address = address }

    /// Returns the manager that `NOTIFY_SOCKET` names, and unsets the variable.
    ///
    /// Call this before any other thread starts.
    package static func takeFromEnvironment() -> ServiceManager? {
        guard let value = unsafe getenv("NOTIFY_SOCKET") else { return nil }
        let address = unsafe String(cString: value)
        unsafe unsetenv("NOTIFY_SOCKET")
        return address.hasPrefix("/") || address.hasPrefix("@") ? ServiceManager(at: address) : nil
    }

    /// Names the manager to the program that this process executes next.
    func putIntoEnvironment() { unsafe setenv("NOTIFY_SOCKET", address, 1) }

    /// Reports what this process is doing.
    package func tellStatus(_ status: String) throws(NetworkError) { try tell("STATUS=\(Self.line(status))") }

    /// Reports that this process is ready to serve.
    package func tellReady(_ status: String) throws(NetworkError) {
        try tell("READY=1\nSTATUS=\(Self.line(status))")
    }

    /// Reports that this process is about to end.
    package func tellStopping() throws(NetworkError) { try tell("STOPPING=1\nSTATUS=stopping") }

    /// Replaces line ends by spaces, so that a text can't add lines to the message.
    private static func line(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }

    private func tell(_ text: String) throws(NetworkError) {
        let number = try SystemCall.run("make a socket") {
            Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Socket.flags, 0)
        }
        let opened = FileDescriptor(owning: number)
        let (result, error) = UnixPath(address).connectOrName(opened)
        guard result == 0 else {
            throw NetworkError(number: error, operation: "reach the service manager at \(address)")
        }
        let (file, bytes) = (opened.number, Array(text.utf8))
        try SystemCall.run("tell the service manager") {
            unsafe send(file, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }
}
