import BatonCore
import Foundation
import Support
import Testing

/// A user who is not in `/etc/passwd`, as users of LDAP and systemd-homed, and those of many containers.
@Suite(.enabled(if: getuid() == 0, "another user and a mount need root"))
struct `A user who is not in /etc/passwd` {
    private static let user = 54_321

    private let folder: TemporaryFolder
    private let machine: Machine

    init() throws {
        folder = try TemporaryFolder()
        machine = Machine("laptop", in: folder)
        machine.variables = ["BATON_HOME": "", "HOME": machine.home, "XDG_RUNTIME_DIR": ""]
        try FileManager.default.createDirectory(atPath: machine.home, withIntermediateDirectories: false)
        let user = uid_t(Self.user)
        try #require(chmod(folder.path, 0o755) == 0 && chown(machine.home, user, user) == 0)
        try File.write("passwd: files systemd\nhosts: files\n", to: folder.path + "/nsswitch.conf")
        try #require(chmod(folder.path + "/nsswitch.conf", 0o644) == 0)
        try #require(getpwuid(user) == nil, "the user \(Self.user) exists here")
    }

    /// A command as that user types it, on a machine whose name service also asks systemd.
    private func words(_ command: [String]) -> [String] {
        [
            "unshare", "--mount", "/bin/sh", "-ec",
            "mount --bind '\(folder.path)/nsswitch.conf' /etc/nsswitch.conf && exec setpriv \"$@\"", "sh",
            "--reuid=\(Self.user)", "--regid=\(Self.user)", "--clear-groups", Products.baton,
        ] + command
    }

    /// Commands of all kinds; none changes what another one needs.
    private static let commands = [
        ["status"], ["doctor"], ["doctor", "--json"], ["devices"], ["accounts"], ["list"],
        ["list", "--json"],
        ["start", "note", "--title", "note"], ["show", "note"], ["search", "note"], ["suggest"], ["settings"],
        ["index", "list"], ["private"], ["handlers"], ["service", "status"], ["service", "status", "--json"],
        ["service", "remove"], ["shell"], ["browser"], ["embed", "--help"], ["link", "--help"],
        ["completions", "bash"], ["manual"], ["help"], ["version"],
    ]

    @Test func `can use every command`() throws {
        let made = try machine.type(words(["init", "--no-confirm", "--name", "laptop"]))
        try #require(made.status == 0, "\(made)")
        try machine.startNode(by: words(["node", "--listen", "127.0.0.1:0"]))
        try eventually("a node; its log: \(machine.log)") {
            try machine.type(words(["status"])).status == 0
        }
        let known = Set([0] + LocalFailure.Code.allCases.map { Int32($0.rawValue) })
        for command in Self.commands {
            let answer = try machine.type(words(command))
            #expect(known.contains(answer.status), "\(answer)")
        }
    }
}
