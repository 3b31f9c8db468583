import Glibc

/// Network namespaces that tests make; it takes root and the `ip` command.
package enum NetworkNamespaces {
    package static let ip = "/usr/sbin/ip"

    /// Whether this process can make namespaces.
    package static let arePossible: Bool = {
        guard getuid() == 0, access(ip, X_OK) == 0 else { return false }
        let name = "baton-probe-\(getpid())"
        defer { _ = try? run(["netns", "delete", name]) }
        return (try? run(["netns", "add", name])) != nil
    }()

    /// Whether `Tests/LAN/vpn` can make tun devices.
    package static let canHaveTunnels: Bool = {
        let device = open("/dev/net/tun", O_RDWR | O_CLOEXEC)
        guard device >= 0 else { return false }
        close(device)
        return access("/usr/bin/python3", X_OK) == 0
    }()

    /// Moves the calling thread into a namespace.
    package static func enter(_ name: String) {
        // Swift does not see `setns` and `CLONE_NEWNET`.
        typealias SetNamespace = @convention(c) (Int32, Int32) -> Int32
        let setNamespace = unsafeBitCast(dlsym(nil, "setns"), to: SetNamespace.self)
        let entry = open("/run/netns/\(name)", O_RDONLY | O_CLOEXEC)
        precondition(
            entry >= 0 && setNamespace(entry, 0x4000_0000) == 0, "the namespace \(name) can be entered")
        close(entry)
    }

    /// Runs `ip`, and returns its output.
    @discardableResult package static func run(_ words: [String]) throws -> String {
        let folder = try TemporaryFolder()
        let process = try ChildProcess([ip] + words, environment: [:], files: folder.path + "/ip")
        let ending = try process.wait()
        guard ending == 0 else {
            throw DeadlinePassed(description: "ip \(words.joined(separator: " ")): \(process.errors)")
        }
        return process.output
    }
}
