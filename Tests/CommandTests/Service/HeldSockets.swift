import Foundation
import Support

/// The sockets of a machine's node, opened and held by the test like a service manager.
final class HeldSockets {
    private let apps: Int32
    private let devices: Int32
    /// The port for other devices.
    let port: UInt16

    init(for machine: Machine) throws {
        let path = machine.home + "/run/node.sock"
        try FileManager.default.createDirectory(
            atPath: machine.home + "/run", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        unlink(path)
        apps = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let number = apps
        let bound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, listen(apps, 64) == 0 else { throw SystemError("listen at \(path)") }
        (devices, port) = try Self.openPort()
    }

    deinit {
        close(apps)
        close(devices)
    }

    private static func openPort() throws -> (Int32, UInt16) {
        let devices = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var (address, length) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(devices, $0, length) | listen(devices, 64) | getsockname(devices, $0, &length)
            }
        }
        guard result == 0 else { throw SystemError("listen at a port") }
        return (devices, UInt16(bigEndian: address.sin_port))
    }

    /// Starts a node with the sockets, through a shell that sets the variables for them.
    func startNode(on machine: Machine) throws {
        try Self.startNode(on: machine, passing: [apps, devices])
    }

    /// Starts a node with these descriptors in place of the sockets.
    static func startNode(on machine: Machine, passing descriptors: [Int32], names: String = "baton:baton")
        throws
    {
        let script = """
            LISTEN_PID=$$ LISTEN_FDS=\(descriptors.count) LISTEN_FDNAMES=\(names)
            export LISTEN_PID LISTEN_FDS LISTEN_FDNAMES
            exec "$0" node
            """
        try machine.startNode(by: ["/bin/sh", "-c", script, Products.baton], passing: descriptors)
    }
}
