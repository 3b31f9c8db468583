import CLinux
import Glibc

/// An error that a system call or this module has reported.
///
/// Two errors are equal if their codes are equal; the other properties are only for messages.
package struct NetworkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of an error; only kinds that some caller distinguishes have a name.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the kind.
        package let description: String
    }

    package let code: Code
    /// The operation that failed, in words; for example, `connect to 127.0.0.1:7000`.
    package let operation: String
    /// The reason, in the words of the system or of this module.
    package let reason: String
    /// The system's error number; zero if the error did not come from the system.
    package let number: Int32

    /// Makes an error that this module reports itself.
    package init(_ code: Code, operation: String, reason: String, number: Int32 = 0) {
        self.code = code
        self.operation = operation
        self.reason = reason
        self.number = number
    }

    /// Makes an error that a system call has reported.
    package init(number: Int32, operation: String) {
        self.init(Code(number: number), operation: operation, reason: Self.text(of: number), number: number)
    }

    package var description: String { "Can't \(operation): \(reason)." }

    package static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    package func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// Returns the C library's text for an error number.
    private static func text(of number: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard unsafe strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension NetworkError.Code {
    /// Another socket already uses the address.
    package static let addressInUse = Self(description: "address in use")
    /// No network interface of this machine has the address.
    package static let addressNotAvailable = Self(description: "address not available")
    /// Nothing listens at the address.
    package static let refused = Self(description: "refused")
    /// There is no route to the address.
    package static let unreachable = Self(description: "unreachable")
    /// A deadline of the caller has passed, or the kernel has given up waiting.
    package static let timedOut = Self(description: "timed out")
    /// This user does not have the permission.
    package static let permission = Self(description: "permission")
    /// The file system is mounted read-only.
    package static let readOnly = Self(description: "read only")
    /// A folder or a socket belongs to another user, or other users have access to it, so it is not used.
    package static let foreign = Self(description: "foreign")
    /// There is no such file, process or host name.
    package static let notFound = Self(description: "not found")
    /// The peer has reset the connection.
    package static let reset = Self(description: "reset")
    /// The process or the system is out of descriptors or memory, or a disk is full.
    package static let exhausted = Self(description: "exhausted")
    /// A service, such as name resolution, is temporarily not available.
    package static let unavailable = Self(description: "unavailable")
    /// The system does not support this kind of address, or this option.
    package static let unsupported = Self(description: "unsupported")
    /// A text or path is malformed.
    package static let malformed = Self(description: "malformed")

    /// Converts an error number to a code; a number that no caller distinguishes gets a code of its own.
    init(number: Int32) {
        switch number {
        case EADDRINUSE: self = .addressInUse
        case EADDRNOTAVAIL: self = .addressNotAvailable
        case ECONNREFUSED: self = .refused
        case EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENETDOWN: self = .unreachable
        case ETIMEDOUT: self = .timedOut
        case EACCES, EPERM: self = .permission
        case EROFS: self = .readOnly
        case ENOENT, ESRCH: self = .notFound
        case ECONNRESET, EPIPE, ECONNABORTED: self = .reset
        case EMFILE, ENFILE, ENOBUFS, ENOMEM, ENOSPC, EDQUOT: self = .exhausted
        case EAGAIN: self = .unavailable
        case EAFNOSUPPORT, EPROTONOSUPPORT, ENOSYS, EOPNOTSUPP: self = .unsupported
        case EINVAL, ENAMETOOLONG, ENOTDIR: self = .malformed
        default: self.init(description: "error \(number)")
        }
    }
}
