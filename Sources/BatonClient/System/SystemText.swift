import Glibc

/// The error messages of the C library.
package enum SystemText {
    /// Returns the message for an error number.
    package static func of(_ number: Int32) -> String {
        strerror(number).map { String(cString: $0) } ?? "error \(number)"
    }
}
