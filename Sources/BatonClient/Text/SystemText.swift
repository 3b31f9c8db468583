import Glibc

/// The error messages of the C library.
enum SystemText {
    /// Returns the message for an error number.
    static func of(_ number: Int32) -> String {
        strerror(number).map { String(cString: $0) } ?? "error \(number)"
    }
}
