import CLinux
import Glibc

/// How many files this process may have open at once.
package enum OpenFileLimit {
    /// Raises the limit to the most that the system allows to this process, and returns it.
    ///
    /// Call it before many connections are expected; the usual soft limit of 1024 is meant for `select`, which
    /// nothing here uses.
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
