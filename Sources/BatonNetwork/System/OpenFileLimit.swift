import CLinux
import Glibc

/// The maximum number of files that this process may have open at the same time.
package enum OpenFileLimit {
    /// Raises the limit to the maximum that the system allows, and returns the new limit.
    ///
    /// Call this before many connections are expected. The usual limit of 1024 exists for programs that use `select`.
    /// This program does not use `select`.
    @discardableResult
    package static func raise() throws(NetworkError) -> UInt64 {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        try SystemCall.run("read the limit of open files") { unsafe getrlimit(resource, &limit) }
        guard limit.rlim_cur < limit.rlim_max else { return UInt64(limit.rlim_cur) }
        limit.rlim_cur = limit.rlim_max
        try SystemCall.run("raise the limit of open files") { unsafe setrlimit(resource, &limit) }
        return UInt64(limit.rlim_cur)
    }
}
