import Glibc

/// The seeds that a test runs.
package enum Seeds {
    /// Returns this many seeds, or only the one that `BATON_SEED` names, which repeats one failure.
    package static func first(_ count: UInt64) -> [UInt64] { replayed.map { [$0] } ?? Array(1...count) }

    /// The seed that `BATON_SEED` names.
    package static var replayed: UInt64? {
        getenv("BATON_SEED").flatMap { UInt64(String(cString: $0)) }
    }
}
