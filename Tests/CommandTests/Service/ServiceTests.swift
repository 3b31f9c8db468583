import Foundation
import Support
import Testing

/// `baton service`, with a service manager that a script plays.
@Suite struct `The service with a fake service manager` {
    private let folder: TemporaryFolder
    private let machine: Machine

    init() throws {
        folder = try TemporaryFolder()
        machine = Machine("laptop", in: folder)
        try FileManager.default.createDirectory(
            atPath: folder.path + "/runtime", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        machine.variables["XDG_CONFIG_HOME"] = folder.path + "/config"
        try machine.must("init", "--no-confirm", "--name", "laptop")
    }

    /// Puts a script on the path in place of systemctl; its arguments are recorded in a file.
    private func act(_ script: String) throws {
        let bin = folder.path + "/bin"
        try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
        try File.writeProgram(
            "#!/bin/sh\necho \"$*\" >> \(folder.path)/asked\n\(script)\n", to: bin + "/systemctl")
        machine.variables["PATH"] = "\(bin):\(Products.folder):/usr/bin:/bin"
    }

    private var asked: [String] {
        (File.read(folder.path + "/asked") ?? "").split(separator: "\n").map(String.init)
    }

    /// The commands to the manager, without queries.
    private var deeds: [String] { asked.filter { !$0.contains(" show ") } }

    private var units: String { folder.path + "/config/systemd/user" }

    /// A script that plays systemctl with a running unit.
    private static let running = """
        case "$*" in
        *Version*) echo Version=252 ;;
        *show*.socket) echo ActiveState=active ;;
        *show*) printf 'ActiveState=active\\nUnitFileState=enabled\\nResult=success\\nExecMainStatus=0\\nMainPID=4711\\n'
            printf 'StateChangeTimestamp=@1795208645\\nStatusText=serving\\nNRestarts=1\\nFragmentPath=/x\\n' ;;
        esac
        """

    private func install(_ options: String...) throws -> Answer {
        try machine.type(["baton", "service", "install", "--as-root"] + options)
    }

    @Test func `the service is installed, started, queried and removed through systemctl`() throws {
        try act(Self.running)
        let answer = try install("--listen", "127.0.0.1:4990")
        #expect(answer.status == 0, "\(answer)")
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: units).first { $0.hasSuffix(".service") }?
                .dropLast(8))
        #expect(name.hasPrefix("baton-laptop-"))
        #expect(
            deeds == [
                "--user daemon-reload", "--user enable \(name).socket \(name).service",
                "--user reset-failed \(name).socket \(name).service", "--user start \(name).socket",
                "--user restart \(name).service",
            ])
        #expect(answer.output.contains("The node is running, process 4711."))
        let socket = try #require(File.read("\(units)/\(name).socket"))
        #expect(socket.contains("ListenStream=\(machine.home)/run/node.sock\nListenStream=127.0.0.1:4990\n"))
        let service = try #require(File.read("\(units)/\(name).service"))
        #expect(service.contains("\nMemoryHigh=192M\nMemoryMax=256M\n"), "\(service)")
        let status = try machine.must("service", "status")
        #expect(status.contains("\(name): the node is running, process 4711 since "), "\(status)")
        #expect(status.contains("its log: journalctl --user -u \(name)\n"))
        #expect(try machine.json("service", "status")["pid"] == .integer(4711))
        try machine.must("service", "stop")
        #expect(deeds.last == "--user stop \(name).socket \(name).service")
        let removal = try machine.must("service", "uninstall")
        #expect(
            deeds.suffix(2) == [
                "--user disable --now \(name).socket \(name).service", "--user daemon-reload",
            ])
        #expect(removal.contains("Removed \(units)/\(name).service."))
        #expect(try FileManager.default.contentsOfDirectory(atPath: units).isEmpty)
    }

    @Test func `a home on a disk that can't hold sockets is refused before anything is installed`() throws {
        try act(Self.running)
        // No disk of the kernel's own files holds sockets.
        try FileManager.default.createSymbolicLink(atPath: machine.home + "/run", withDestinationPath: "/sys")
        let answer = try install()
        #expect(answer.status == 1 && answer.errors.contains("holds no sockets"), "\(answer)")
        #expect(answer.errors.contains("--home DIR"), "\(answer)")
        #expect(!FileManager.default.fileExists(atPath: units) && deeds.isEmpty, "\(deeds)")
    }

    @Test func `sockets are reopened if an installation changes them, and stay open otherwise`() throws {
        try act(Self.running)
        #expect(try install().status == 0)
        #expect(try install().status == 0)
        #expect(!deeds.contains { $0.hasPrefix("--user stop") }, "\(deeds)")
        let count = deeds.count
        let answer = try install("--listen", "127.0.0.1:4990")
        #expect(answer.status == 0, "\(answer)")
        let news = Array(deeds.dropFirst(count))
        #expect(news.first?.hasPrefix("--user stop baton-laptop-") == true, "\(news)")
        #expect(news.first?.contains(".socket baton-laptop-") == true && news[1] == "--user daemon-reload")
        #expect(news.contains { $0.hasPrefix("--user start baton-laptop-") && $0.hasSuffix(".socket") })
    }

    /// Writes the configuration file.
    private func configure(_ text: String) throws {
        let configuration = folder.path + "/config/baton"
        try FileManager.default.createDirectory(
            atPath: configuration, withIntermediateDirectories: true)
        try File.write(text, to: configuration + "/config.json5")
    }

    @Test
    func `baton embed is installed, shown and removed with the node if the configuration names a program`()
        throws
    {
        try act(Self.running)
        try configure(#"{ embed: ["my-model", "--small"] }"#)
        let answer = try install()
        #expect(answer.status == 0, "\(answer)")
        let files = try FileManager.default.contentsOfDirectory(atPath: units)
        #expect(files.count == 3)
        let unit = try #require(files.first { $0.hasSuffix("-embed.service") })
        let name = String(unit.dropLast("-embed.service".count))
        #expect(deeds.contains("--user enable \(name).socket \(name).service \(unit)"))
        #expect(deeds.last == "--user restart \(unit)")
        let text = try #require(File.read("\(units)/\(unit)"))
        for line in [
            "PartOf=\(name).service", "After=\(name).service", "WantedBy=\(name).service",
            "ExecStart=\(Products.baton) embed --home \(machine.home)",
            "Environment=\"XDG_CONFIG_HOME=\(folder.path)/config\"",
            "Environment=\"PATH=\(machine.variables["PATH"] ?? "")\"",
        ] {
            #expect(text.contains(line + "\n"), "\(line) in \(text)")
        }
        #expect(try machine.must("service", "status").contains("meaning: `baton embed` is running\n"))
        #expect(try machine.json("service", "status")["embed"] == .string("active"))

        // Without `embed` it goes, and the node stays.
        try configure("{ }")
        let again = try install()
        #expect(again.status == 0 && again.output.contains("Removed \(units)/\(unit)"), "\(again)")
        #expect(deeds.contains("--user disable --now \(unit)"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: units).count == 2)
        #expect(try machine.json("service", "status")["embed"] == .null)

        try configure(#"{ embed: ["my-model"] }"#)
        _ = try install()
        let removal = try machine.must("service", "uninstall")
        #expect(removal.contains("Removed \(units)/\(unit)."))
        #expect(deeds.contains("--user disable --now \(name).socket \(name).service \(unit)"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: units).isEmpty)
    }

    @Test func `the offers service is installed, shown and removed if the configuration has notify`() throws {
        try act(Self.running)
        try configure("{ notify: true }")
        let answer = try install()
        #expect(answer.status == 0, "\(answer)")
        let files = try FileManager.default.contentsOfDirectory(atPath: units)
        #expect(files.count == 3)
        let unit = try #require(files.first { $0.hasSuffix("-notify.service") })
        let name = String(unit.dropLast("-notify.service".count))
        #expect(deeds.contains("--user enable \(name).socket \(name).service \(unit)"))
        #expect(deeds.last == "--user restart \(unit)")
        let text = try #require(File.read("\(units)/\(unit)"))
        for line in [
            "PartOf=graphical-session.target", "After=graphical-session.target",
            "WantedBy=graphical-session.target", "KillMode=process",
            "ExecStart=\(Products.baton) watch --notify --home \(machine.home)",
            "Environment=\"PATH=\(machine.variables["PATH"] ?? "")\"",
        ] {
            #expect(text.contains(line + "\n"), "\(line) in \(text)")
        }
        #expect(try machine.must("service", "status").contains("offers: `baton watch --notify` is running\n"))
        #expect(try machine.json("service", "status")["notify"] == .string("active"))
        try configure("{ notify: false }")
        let again = try install()
        #expect(again.output.contains("Removed \(units)/\(unit): the configuration has no `notify`."))
        #expect(deeds.contains("--user disable --now \(unit)"))
        #expect(try machine.json("service", "status")["notify"] == .null)
    }

    @Test func `the offers service is not started while no desktop runs`() throws {
        try act(
            Self.running.replacingOccurrences(
                of: "*show*.socket)",
                with: "*graphical-session*) echo ActiveState=inactive ;;\n*show*.socket)"))
        try configure("{ notify: true }")
        let answer = try install()
        #expect(answer.status == 0, "\(answer)")
        #expect(!deeds.contains { $0.contains("restart") && $0.contains("-notify.service") })
    }

    @Test func `a unit for baton embed that the person wrote is not overwritten`() throws {
        try act(Self.running)
        try configure(#"{ embed: ["my-model"] }"#)
        _ = try install()
        let unit = try #require(
            try FileManager.default.contentsOfDirectory(atPath: units).first {
                $0.hasSuffix("-embed.service")
            })
        let own = "[Service]\nExecStart=/usr/local/bin/baton embed\n"
        try File.write(own, to: "\(units)/\(unit)")
        let answer = try install()
        #expect(answer.status == 0 && answer.output.contains("it stays as it is"), "\(answer)")
        #expect(File.read("\(units)/\(unit)") == own)
        try machine.must("service", "uninstall")
        #expect(try FileManager.default.contentsOfDirectory(atPath: units) == [unit])
        #expect(try install("--replace").status == 0)
        #expect(File.read("\(units)/\(unit)")?.hasPrefix("# Written by `baton service install`") == true)
    }

    @Test func `a unit that another program wrote is overwritten only with --replace`() throws {
        try act(Self.running)
        _ = try install()
        let path = try #require(
            try FileManager.default.contentsOfDirectory(atPath: units).first { $0.hasSuffix(".service") }
                .map { units + "/" + $0 })
        try File.write("[Service]\nExecStart=/bin/true\n", to: path)
        let refused = try install()
        expect(refused, 1, advice: "baton service install --replace")
        #expect(File.read(path) == "[Service]\nExecStart=/bin/true\n")
        #expect(try machine.baton("service", "uninstall").status == 1)
        #expect(try install("--replace").status == 0)
        #expect(File.read(path)?.hasPrefix("# Written by `baton service install`") == true)
        // No other file is left.
        #expect(try FileManager.default.contentsOfDirectory(atPath: units).count == 2)
    }

    @Test func `installing without a service manager writes the units, and says what to do`() throws {
        try act("echo 'Failed to connect to bus: No medium found' >&2; exit 1")
        let answer = try install()
        expect(answer, 1, advice: "baton node")
        #expect(
            answer.errors.contains("systemctl failed: Failed to connect to bus: No medium found."))
        #expect(try FileManager.default.contentsOfDirectory(atPath: units).count == 2)
        let status = try machine.must("service", "status")
        #expect(
            status.contains("installed as \(units)/")
                && status.contains("Run the node with `baton node` meanwhile."))
        expect(try machine.baton("service", "start"), 1, advice: "baton node")
        machine.variables["PATH"] = Products.folder
        #expect(
            try machine.baton("service", "start").errors.contains("there is no systemctl on this machine"))
    }

    @Test func `service install --print prints the units and changes nothing`() throws {
        try act(Self.running)
        let printed = try machine.must("service", "install", "--print")
        #expect(
            printed.contains("[Socket]\n")
                && printed.contains("ExecStart=\(Products.baton) node --home "))
        #expect(asked.isEmpty && !FileManager.default.fileExists(atPath: units))
    }

    @Test func `a failed start is reported with its reason and the command that shows the log`() throws {
        try act(
            """
            case "$*" in
            *Version*) echo Version=252 ;;
            *show*.socket) echo ActiveState=active ;;
            *show*) printf 'ActiveState=failed\\nResult=exit-code\\nExecMainStatus=226\\n' ;;
            *restart*) echo 'Job for baton.service failed.' >&2; exit 1 ;;
            esac
            """)
        let answer = try install()
        #expect(
            answer.status == 1 && answer.errors.contains("type `baton service install --no-sandbox`"))
        #expect(answer.errors.contains("`journalctl --user -u baton-laptop-"), "\(answer)")
        #expect(try machine.must("service", "status").contains("the node has failed"))
    }

    @Test func `installing the service does not replace a node that was started by hand`() throws {
        try act(
            Self.running.replacingOccurrences(of: "ActiveState=active ;;", with: "ActiveState=inactive ;;"))
        try machine.startNode()
        let process = try #require(machine.nodeNumber)
        let answer = try install()
        #expect(
            answer.status == 6 && answer.errors.contains("process \(process)"),
            "\(answer)")
        #expect(!deeds.contains { $0.contains("start") && !$0.contains("reset") })
    }

    @Test func `wrong arguments of baton service are refused`() throws {
        try act(Self.running)
        #expect(try machine.baton("service", "begin").status == 2)
        #expect(try machine.baton("service", "start", "--print").status == 2)
        #expect(try install("--listen", "office").status == 2)
        #expect(try machine.baton("service", "start").errors.contains("No service is installed"))
        if geteuid() == 0 { #expect(try machine.baton("service", "install").status == 14) }
        #expect(
            try machine.baton("service", "install", "--as-root", "--home", folder.path + "/none").status == 4)
        #expect(asked.isEmpty)
    }

    @Test(.enabled(if: Tool.isThere("systemd-analyze"), "systemd-analyze is not installed"))
    func `systemd-analyze accepts the units, and rates their exposure as low`() throws {
        try act(Self.running)
        try configure(#"{ embed: ["my-model"], notify: true }"#)
        _ = try install()
        machine.variables["PATH"] = "/usr/bin:/bin"
        for file in try FileManager.default.contentsOfDirectory(atPath: units) {
            let answer = try machine.type([
                "systemd-analyze", "verify", "--user", "--man=no", "\(units)/\(file)",
            ])
            #expect(answer.status == 0 && answer.errors.isEmpty, "\(answer)")
            // The person's program is confined by the person, and so are windows that an offer opens.
            guard file.hasSuffix(".service"), !file.hasSuffix("-embed.service"),
                !file.hasSuffix("-notify.service")
            else { continue }
            // An empty unit is rated 9.6; this one was rated 2.9.
            let exposure = try machine.type(
                [
                    "systemd-analyze", "security", "--user", "--offline=true", "--threshold=30",
                    "\(units)/\(file)",
                ])
            #expect(exposure.status == 0, "\(exposure.output.suffix(300))\(exposure.errors)")
        }
    }
}
