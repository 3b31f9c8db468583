import BatonCore
import BatonSecurity
import Foundation
import Glibc
import Support
import Testing

/// Outcomes of `baton doctor` about the machine on which it runs.
@Suite struct `A checkup of this machine` {
    private let folder: TemporaryFolder
    private let laptop: Machine

    init() throws {
        folder = try TemporaryFolder()
        laptop = Machine("laptop", in: folder)
    }

    @Test func `a machine without an account is advised to create or join an account`() throws {
        let checkup = try Checkup(laptop)
        #expect(checkup.answer.status == 21 && checkup.answer.errors.isEmpty, "\(checkup)")
        #expect(checkup.outcomes("home") == ["noAccount"] && checkup.advises("home", "baton init"))
        #expect(checkup.outcomes("node") == ["withoutAccount"])
        #expect(checkup.outcomes("device") == ["unknown"])
    }

    @Test func `if no node runs, the rest of the machine is still checked`() throws {
        try laptop.must("init", "--no-confirm", "--name", "laptop")
        let checkup = try Checkup(laptop, "desktop")
        #expect(checkup.answer.status == 21, "\(checkup)")
        #expect(checkup.outcomes("home") == ["ready"] && checkup.outcomes("privacy") == ["closed"])
        #expect(checkup.outcomes("node") == ["notRunning"] && checkup.advises("node", "baton node"))
        #expect(try checkup.finding("device")["subject"].string == "desktop")
        for check in ["port", "store", "disk", "limits", "service"] {
            #expect(checkup.outcomes(check).count == 1, "\(check): \(checkup)")
        }
    }

    @Test func `a home that others can read is reported with the command that closes it`() throws {
        try laptop.must("init", "--no-confirm", "--name", "laptop")
        let file = laptop.home + "/accounts/default/identity/device-key.pem"
        try #require(chmod(file, 0o644) == 0)
        let checkup = try Checkup(laptop)
        let finding = try checkup.finding("privacy")
        #expect(finding["outcome"].string == "open" && finding["mark"].string == "problem")
        #expect(finding["found"].string?.contains("\(file) (mode 644)") == true, "\(finding)")
        #expect(finding["advice"].string == "Type `chmod -R go= \(laptop.home)`.")
        #expect(checkup.answer.status == 21)
        try #require(chmod(file, 0o600) == 0)
        #expect(try Checkup(laptop).outcomes("privacy") == ["closed"])
    }

    @Test(.enabled(if: getuid() == 0, "only root can give a file to another user"))
    func `a file of another user is reported, without advice to take ownership`() throws {
        try laptop.must("init", "--no-confirm", "--name", "laptop")
        let file = laptop.home + "/accounts/default/identity/device-key.pem"
        try #require(chown(file, 65_534, 65_534) == 0)
        let checkup = try Checkup(laptop)
        #expect(checkup.outcomes("privacy") == ["foreign"] && checkup.answer.status == 21, "\(checkup)")
        #expect(!checkup.advises("privacy", "chown") && checkup.advises("privacy", "--home DIR"))
    }

    @Test(.enabled(if: getuid() == 0, "only root can become another user"))
    func `with sudo, the home of the person who typed the command is checked, as that person`() throws {
        let person = Machine("person", in: folder)
        person.variables = ["BATON_HOME": "", "HOME": person.home, "XDG_RUNTIME_DIR": ""]
        let data = person.home + "/.local/share/baton"
        try FileManager.default.createDirectory(atPath: person.home, withIntermediateDirectories: false)
        try #require(chmod(folder.path, 0o755) == 0)
        try person.must("init", "--no-confirm", "--name", "laptop")
        #expect(try person.type(["chown", "-R", "54321:54321", person.home]).status == 0)
        // Root's own home has no account.
        let sudo = [
            "env", "SUDO_UID=54321", "SUDO_GID=54321", "SUDO_HOME=\(person.home)",
            "HOME=\(folder.path)/other",
        ]
        let checkup = try Checkup(person, by: sudo)
        #expect(checkup.outcomes("home") == ["sudo", "ready"], "\(checkup)")
        #expect(checkup.outcomes("privacy") == ["closed"], "\(checkup)")
        // A file that an earlier command with sudo has left belongs to root.
        let file = data + "/accounts/default/identity/device-key.pem"
        try #require(chown(file, 0, 0) == 0)
        let left = try Checkup(person, by: sudo)
        #expect(left.outcomes("privacy") == ["leftByRoot"], "\(left)")
        #expect(left.advises("privacy", "sudo chown -R 54321 \(data)"), "\(left)")
    }

    @Test func `a quarantined database, and low limits of the system, are reported`() throws {
        try laptop.must("init", "--no-confirm", "--name", "laptop")
        #expect(try Checkup(laptop).outcomes("store") == ["sound"])
        let file = laptop.home + "/accounts/default/index.sqlite.damaged-2026-11-20"
        try File.write("", to: file)
        let words = ["/bin/sh", "-c", "ulimit -n 256 && exec \"$@\"", "sh"]
        let checkup = try Checkup(laptop, by: words)
        #expect(checkup.outcomes("store") == ["damaged", "moved"], "\(checkup)")
        let stores = checkup.findings.filter { $0["check"].string == "store" }
        #expect(stores.allSatisfy { $0["found"].string?.contains(file) == true }, "\(checkup)")
        #expect(checkup.outcomes("limits") == ["fewFiles"] && checkup.advises("limits", "LimitNOFILE"))
    }

    @Test(.enabled(if: getuid() == 0, "only root can mount"))
    func `a full disk, a nearly full disk and a read-only disk are reported as such`() throws {
        try laptop.must("init", "--no-confirm", "--name", "laptop")
        func outcomes(_ mounting: String) throws -> [String] {
            let line = "\(mounting) && exec \"$@\""
            let words = ["unshare", "--mount", "/bin/sh", "-ec", line, "sh"]
            let checkup = try Checkup(laptop, by: words)
            #expect(checkup.answer.errors.isEmpty, "\(checkup)")
            return checkup.outcomes("disk")
        }
        let home = laptop.home
        // A small disk with a copy of the home in place of the home, in a mount namespace.
        func disk(_ size: String) -> String {
            "cp -a '\(home)' '\(home).copy' && mount -t tmpfs -o mode=700,size=\(size) small '\(home)'"
                + " && cp -a '\(home).copy/.' '\(home)/' && rm -r '\(home).copy'"
        }
        #expect(try outcomes("true") == ["free"])
        #expect(
            try outcomes("mount --bind '\(home)' '\(home)' && mount -o remount,bind,ro '\(home)'") == [
                "readOnly"
            ])
        #expect(try outcomes(disk("8m")) == ["low"])
        let filling = "(cat /dev/zero >'\(home)/zeros' 2>'\(home).errors' || true)"
        #expect(try outcomes(disk("1m") + " && " + filling) == ["full"])
    }

    @Test func `a file instead of the home folder is reported`() throws {
        try File.write("", to: laptop.home)
        let checkup = try Checkup(laptop)
        #expect(checkup.outcomes("home") == ["notFolder"] && checkup.answer.status == 21, "\(checkup)")
    }

    @Test func `a hanging node and a node without its socket file are not reported as a missing node`() throws
    {
        try laptop.must("init", "--no-confirm", "--name", "laptop")
        try laptop.startNode()
        laptop.signalNode(SIGSTOP)
        let hanging = try Checkup(laptop)
        laptop.signalNode(SIGCONT)
        #expect(hanging.outcomes("node") == ["silent"] && hanging.answer.status == 21, "\(hanging)")
        try #require(unlink(laptop.home + "/run/node.sock") == 0)
        let lost = try Checkup(laptop)
        #expect(lost.outcomes("node") == ["socketGone"] && lost.answer.status == 21, "\(lost)")
    }

    @Test func `a single machine has no problems, and is advised to invite another machine`() throws {
        try laptop.must("init", "--no-confirm", "--name", "laptop")
        try laptop.startNode()
        let checkup = try Checkup(laptop)
        #expect(checkup.answer.status == 0, "\(checkup)")
        #expect(checkup.outcomes("device") == ["alone"] && checkup.advises("device", "baton invite"))
        #expect(checkup.outcomes("port") == ["localOnly"] && checkup.outcomes("version") == ["same"])
        #expect(checkup.outcomes("account") == ["served"])
        let text = try laptop.must("doctor")
        #expect(text.hasPrefix("✓ home: \(laptop.home), account default\n✓ modes: "), "\(text)")
        #expect(text.contains("\n✓ node: running, process "), "\(text)")
    }
}

/// Outcomes of `baton doctor` at the addresses of another machine, which are tried by a real node.
@Suite struct `A checkup of another machine` {
    private let account: Account
    private let credentials: (laptop: Credentials, desktop: Credentials)

    init() throws {
        account = try Account("laptop", "desktop")
        credentials = (
            try IdentityFolder(path: account[0].identity(of: "default")).load(),
            try IdentityFolder(path: account[1].identity(of: "default")).load()
        )
    }

    private var laptop: Machine { account[0] }
    private var desktop: Machine { account[1] }

    /// Stops the desktop's node, and checks the desktop at these addresses; returns the outcome at each.
    private func outcomes(at addresses: [String]) throws -> [String?] {
        if desktop.isNodeRunning { #expect(try desktop.stopNode() == 0) }
        try eventually("the end of the connection: \(laptop.log)") {
            try laptop.json("devices", "desktop")["devices"].list[0]["connected"].boolean == false
        }
        let answer = try laptop.type(
            ["baton", "devices", "desktop"] + addresses.flatMap { ["--at", $0] })
        try #require(answer.status == 0, "\(answer)")
        let checkup = try Checkup(laptop, "desktop")
        #expect(checkup.answer.status == 21, "\(checkup)")
        #expect(checkup.outcomes("device") == ["notConnected"], "\(checkup)")
        for finding in checkup.findings where finding["check"].string == "address" {
            #expect(finding["mark"].string != "problem" || finding["advice"].string != nil, "\(finding)")
        }
        return try addresses.map { try checkup.outcome(at: $0) }
    }

    @Test func `two machines in step have no problems, and the checkup does not break their connection`()
        throws
    {
        func since(_ machine: Machine) throws -> [JSONValue] {
            try machine.json("status")["peers"].list.map { $0["connectedSince"] }
        }
        let before = (try since(laptop), try since(desktop))
        for (machine, other) in [(laptop, desktop), (desktop, laptop)] {
            let checkup = try Checkup(machine)
            #expect(checkup.answer.status == 0, "\(checkup)")
            #expect(checkup.outcomes("device") == ["inStep"], "\(checkup)")
            #expect(try checkup.outcome(at: other.address) == "reached")
        }
        let text = try laptop.must("doctor", "desktop")
        #expect(
            text.contains(
                "  ✓ \(desktop.address) (set by you, met there): answers; Baton 0.1.0, its clock is right\n"
            )
                || text.contains(
                    "  ✓ \(desktop.address) (met there): answers; Baton 0.1.0, its clock is right\n"),
            "\(text)")
        let after = (try since(laptop), try since(desktop))
        #expect(before == after)
        let nobody = try laptop.baton("doctor", "nobody")
        expect(nobody, 11, advice: "baton devices")
        #expect(nobody.output.isEmpty, "\(nobody)")
    }

    @Test func `a machine that can't be reached at any address counts as one problem`() throws {
        #expect(try desktop.stopNode() == 0)
        try eventually("the end of the connection: \(laptop.log)") {
            try laptop.json("devices", "desktop")["devices"].list[0]["connected"].boolean == false
        }
        let answer = try laptop.baton("doctor", "desktop")
        #expect(answer.status == 21 && answer.output.contains("\n  ✗ \(desktop.address)"), "\(answer)")
        #expect(answer.output.contains("\n1 problem"), "\(answer)")
    }

    @Test func `a private machine is reported with the command that turns privacy off`() throws {
        #expect(try Checkup(laptop).outcomes("account") == ["served"])
        try laptop.must("private", "on")
        let checkup = try Checkup(laptop)
        #expect(checkup.outcomes("account") == ["served", "private"], "\(checkup)")
        #expect(checkup.advises("account", "baton private off") && checkup.answer.status == 0)
    }

    @Test func `closed ports, silent listeners and missing answers are reported as different outcomes`()
        throws
    {
        let (closed, silent, full) = (try Listening(), try Listening(), try FullListener())
        let address = "127.0.0.1:\(try RefusingPort().port)"
        closed.serve { _ in }
        #expect(
            try outcomes(at: [
                address, "127.0.0.1:\(closed.port)", "127.0.0.1:\(silent.port)", full.address,
                "\(String(repeating: "x", count: 64)):4817",
            ]) == ["refused", "notOfAccount", "silent", "noAnswer", "nameUnknown"])
    }

    @Test func `a program that is not TLS, and a TLS alert, are reported as different outcomes`() throws {
        let (plain, alert) = (try Listening(), try Listening())
        plain.serve { connection in
            connection.write(Array("SSH-2.0-OpenSSH_9.2p1\r\n".utf8))
            _ = connection.read()
        }
        alert.serve { connection in
            _ = connection.read()
            // A fatal alert: no application protocol.
            connection.write([0x15, 3, 3, 0, 2, 2, 120])
            _ = connection.read()
        }
        #expect(
            try outcomes(at: ["127.0.0.1:\(plain.port)", "127.0.0.1:\(alert.port)"]) == ["notTLS", "alert"])
        let text = try laptop.baton("doctor", "desktop").output
        #expect(text.contains("refused by TLS alert 120, no application protocol\n"), "\(text)")
    }

    @Test(.enabled(if: Stranger.isThere))
    func `a TLS server without a certificate of the account is reported`()
        throws
    {
        let other = try Stranger.otherAccount(in: account.folder)
        let port = try RefusingPort().port
        let server = try laptop.begin(
            [
                "openssl", "s_server", "-accept", "127.0.0.1:\(port)", "-cert", other + "/device.pem", "-key",
                other + "/device-key.pem", "-quiet",
            ], hasInput: true)
        try eventually("a TLS server: \(server.errors)") { (try? RawConnection(port: port)) != nil }
        #expect(try outcomes(at: ["127.0.0.1:\(port)"]) == ["otherCertificate"])
    }

    @Test
    func `a node of another account, another device's node and this machine's own are reported as such`()
        throws
    {
        let other = try Account("stranger", in: TemporaryFolder())[0]
        let phone = account.newMachine("phone")
        try phone.join(laptop)
        try phone.startNode()
        try phone.waitUntilConnected(with: laptop)
        #expect(
            try outcomes(at: [other.address, phone.address, laptop.address])
                == ["notOfAccount", "otherDevice", "thisMachine"])
    }

    @Test func `wrong clocks, refusals and a silent node are reported as different outcomes`() throws {
        let owner = try #require(credentials.laptop.ownerAuthority)
        let (own, now) = (credentials.desktop, Int64(Date().timeIntervalSince1970))
        let early = try Credentials(
            chain: AccountChain(
                root: own.root, owner: own.owner,
                device: owner.certify(own.deviceKey.publicKey, name: "desktop", now: now + 3 * 86_400)),
            deviceKey: own.deviceKey, ownerKey: nil, protection: own.protection, at: nil)
        let nodes = [
            try ActedNode(own, .greets(lead: -600)), try ActedNode(own, .greets(lead: 3 * 86_400)),
            try ActedNode(early, .greets()), try ActedNode(own, .refuses(CloseReason(.version, "too old"))),
            try ActedNode(own, .refuses(CloseReason(.expired, "the certificate expired"))),
            try ActedNode(own, .refuses(CloseReason(.busy, "too many connections"))),
            try ActedNode(own, .staysSilent),
        ]
        #expect(
            try outcomes(at: nodes.map(\.address)) == [
                "clockDiffers", "clockDiffers", "notYetValid", "version", "ownExpired", "refusedByDevice",
                "noGreeting",
            ])
        let text = try laptop.baton("doctor", "desktop").output
        #expect(text.contains("its clock is 10 minutes behind this machine's\n"), "\(text)")
        #expect(
            text.contains("its clock is 3 days ahead of this machine's\n") || text.contains("2 days ahead"),
            "\(text)")
    }

    @Test func `a removed machine, one that has left, and this machine are reported as such`() throws {
        let phone = account.newMachine("phone")
        try phone.join(laptop)
        try phone.startNode()
        try phone.waitUntilConnected(with: laptop)
        // Nobody tells the desktop an address that only one machine can use.
        try eventually("the phone in the roster: \(desktop.log)") {
            try desktop.baton("devices", "phone").status == 0
        }
        let unknown = try Checkup(desktop, "phone")
        #expect(unknown.outcomes("device") == ["noAddress"] && unknown.answer.status == 21, "\(unknown)")
        #expect(unknown.advises("device", "--at HOST:PORT"), "\(unknown)")
        #expect(try phone.stopNode() == 0)
        try laptop.must("remove", "phone")
        let removed = try Checkup(laptop, "phone")
        #expect(removed.outcomes("device") == ["removed"] && removed.answer.status == 0, "\(removed)")
        #expect(try Checkup(laptop, "laptop").outcomes("device") == ["thisMachine"])
        try desktop.must("leave", "--yes")
        try eventually("that the desktop has left: \(laptop.log)") {
            let left = try Checkup(laptop, "desktop")
            return left.outcomes("device") == ["left"] && left.answer.status == 0
        }
    }

    @Test func `a revoked machine reports why it is refused, and other machines do not try its addresses`()
        throws
    {
        try laptop.must("revoke", "desktop", "--yes")
        let here = try Checkup(laptop, "desktop")
        #expect(here.outcomes("device") == ["revoked"] && here.outcomes("address").isEmpty, "\(here)")
        #expect(here.answer.status == 0, "\(here)")
        try eventually("a refusal: \(desktop.log)") {
            let there = try Checkup(desktop, "laptop")
            return there.outcomes("address") == ["revoked"] && there.answer.status == 21
                && there.advises("address", "baton leave")
        }
    }
}

/// A port at which nothing listens.
private struct RefusingPort {
    let port: UInt16

    /// The system chooses a free port, and does not give it to others soon.
    init() throws { port = try Listening().port }
}

/// A listener that accepts no connection and has no room for one, so that no packet is answered.
private final class FullListener {
    private let listening: Listening
    private var connections: [Int32] = []

    init() throws {
        listening = try Listening()
        let copy = listening.copy
        defer { close(copy) }
        try #require(listen(copy, 0) == 0)
        // The system accepts one connection more than asked for, and then drops packets.
        for _ in 0..<4 {
            let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            connections.append(connection)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            address.sin_port = listening.port.bigEndian
            withUnsafePointer(to: address) { pointer in
                _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
    }

    deinit { for connection in connections { close(connection) } }

    var address: String { "127.0.0.1:\(listening.port)" }
}
