import CLinux
import Glibc

/// What went wrong between this process and the kernel, or the machines behind it.
///
/// Two errors are equal if their codes are; the rest is for people.
package struct NetworkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of trouble, as far as a caller may want to tell one from another.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the kind, as it appears in messages.
        package let description: String
    }

    /// The kind of trouble.
    package let code: Code
    /// What was being done, in words: `connect to 127.0.0.1:7000`.
    package let operation: String
    /// What the system says about it.
    package let reason: String
    /// The system's number for it, or zero if this module found the trouble itself.
    package let number: Int32

    /// Trouble that this module itself found.
    init(_ code: Code, operation: String, reason: String, number: Int32 = 0) {
        (self.code, self.operation, self.reason, self.number) = (code, operation, reason, number)
    }

    /// Trouble that a system call reported.
    init(number: Int32, operation: String) {
        self.init(Code(number: number), operation: operation, reason: Self.text(of: number), number: number)
    }

    package var description: String { "Can't \(operation): \(reason)." }

    /// True if the same attempt may well succeed a moment later with nothing changed here.
    package var isTransient: Bool {
        [.refused, .unreachable, .timedOut, .reset, .exhausted, .unavailable].contains(code)
    }

    package static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    package func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// The C library's words for an error number.
    private static func text(of number: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard unsafe strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension NetworkError.Code {
    /// Another socket has the address, and is alive.
    package static let addressInUse = Self(description: "address in use")
    /// No network interface here has the address.
    package static let addressNotAvailable = Self(description: "address not available")
    /// The other machine answered that nothing listens there.
    package static let refused = Self(description: "refused")
    /// No route leads there now.
    package static let unreachable = Self(description: "unreachable")
    /// A deadline passed, ours or the kernel's.
    package static let timedOut = Self(description: "timed out")
    /// The system does not allow it to this user.
    package static let permission = Self(description: "permission")
    /// A folder or a socket is another user's, or open to others, and is not used for that.
    package static let foreign = Self(description: "foreign")
    /// There is no such file, process or host name.
    package static let notFound = Self(description: "not found")
    /// The other side broke the connection off.
    package static let reset = Self(description: "reset")
    /// The process or the system is out of descriptors or memory.
    package static let exhausted = Self(description: "exhausted")
    /// The service that is needed, such as name resolution, can't answer just now.
    package static let unavailable = Self(description: "unavailable")
    /// The system knows no such kind of address or option.
    package static let unsupported = Self(description: "unsupported")
    /// A text or path does not have the form that is needed.
    package static let malformed = Self(description: "malformed")

    /// The kind to which an error number of the system belongs; one that nobody tells apart keeps its number.
    init(number: Int32) {
        switch number {
        case EADDRINUSE: self = .addressInUse
        case EADDRNOTAVAIL: self = .addressNotAvailable
        case ECONNREFUSED: self = .refused
        case EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENETDOWN: self = .unreachable
        case ETIMEDOUT: self = .timedOut
        case EACCES, EPERM: self = .permission
        case ENOENT, ESRCH: self = .notFound
        case ECONNRESET, EPIPE, ECONNABORTED: self = .reset
        case EMFILE, ENFILE, ENOBUFS, ENOMEM, ENOSPC: self = .exhausted
        case EAGAIN: self = .unavailable
        case EAFNOSUPPORT, EPROTONOSUPPORT, ENOSYS, EOPNOTSUPP: self = .unsupported
        case EINVAL, ENAMETOOLONG, ENOTDIR: self = .malformed
        default: self.init(description: "error \(number)")
        }
    }
}
