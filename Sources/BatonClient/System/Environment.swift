import Glibc

/// The environment of the process.
package enum Environment {
    /// The value of a variable, if it is set.
    package static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Sets a variable, for a program that replaces this process.
    package static func set(_ name: String, _ value: String) { setenv(name, value, 1) }
}
