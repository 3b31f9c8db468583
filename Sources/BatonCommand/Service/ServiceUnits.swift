import BatonClient
package import BatonCore

/// The systemd units that run the node of a home.
///
/// The service manager opens the sockets, starts the service, and passes it the sockets. Further units run
/// `baton embed` and `baton watch --notify`, if they are wanted. The sockets stay open while the service is stopped,
/// replaced or restarted. So callers wait, and then get an answer.
package struct ServiceUnits: Equatable, Sendable {
    /// The home of the node that the units run.
    package let home: Home
    /// The path of this command, which reads the configuration file and then runs the node.
    private let program: String
    /// The addresses on which the node listens.
    ///
    /// If there are none, it listens on the usual port.
    private let addresses: [String]
    /// Whether the service has a restricted view of the file system.
    ///
    /// This needs user namespaces.
    private let isSandboxed: Bool
    /// The person's data folder, or nil if the service finds it without help.
    private let dataFolder: String?
    /// Variables of the shell, in the form `NAME=VALUE`.
    ///
    /// By them, the programs that run beside the node find other programs and the configuration.
    private let variables: [String]

    /// Prepares the units of a home.
    ///
    /// `environment` has the variables of the shell, because the service does not have them.
    package init(
        home: Home, program: String, addresses: [String] = [], isSandboxed: Bool = true,
        environment: (String) -> String?
    ) {
        self.home = home
        self.program = program
        self.addresses = addresses
        self.isSandboxed = isSandboxed
        variables = ["PATH", "XDG_CONFIG_HOME", "BATON_CONFIG"].compactMap { name in
            environment(name).flatMap { $0.hasPrefix("/") ? "\(name)=\($0)" : nil }
        }
        dataFolder =
            home.isNamed ? nil : environment("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// The name of the service.
    ///
    /// If the home is in a folder that a person named, the name is made from the folder's path.
    package var name: String { Self.name(of: home) }

    package static func name(of home: Home) -> String {
        guard home.isNamed else { return "baton" }
        let last = home.data.split(separator: "/").last ?? ""
        let plain = last.unicodeScalars.filter {
            $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0))
        }
        let hash = Base32.encode(SHA256.digest(Array(home.data.utf8)).prefix(5))
        return
            (["baton"] + (plain.isEmpty ? [] : [String(String.UnicodeScalarView(plain.prefix(20)))]) + [hash])
            .joined(separator: "-")
    }

    package static let suffixes = (
        service: ".service", socket: ".socket", embedding: "-embed.service", notifying: "-notify.service"
    )

    /// The first words of a file that this command wrote.
    ///
    /// Such a file may be overwritten.
    package static let mark = "# Written by `baton service install`"

    private func head(of unit: String) -> String {
        """
        \(Self.mark), which overwrites it.
        # To change something, type `systemctl --user edit \(unit)`, or install it with other options.


        """
    }

    // MARK: The sockets

    /// The unit with the sockets.
    ///
    /// Apps of this person connect to one, and other devices connect to the others.
    package func socketUnit() throws(LocalFailure) -> String {
        var lines = [
            "[Unit]", "Description=Sockets of the Baton node\(try label())",
            "Documentation=man:baton(1)", "",
            "[Socket]", "ListenStream=\(try UnitValue.whole(home.socket))",
        ]
        for address in addresses.isEmpty ? [String(Home.port)] : addresses {
            lines.append("ListenStream=\(address)")
        }
        lines += [
            "BindIPv6Only=both", "SocketMode=0600", "DirectoryMode=0700", "RemoveOnStop=yes", "Backlog=512",
            "",
            "[Install]", "WantedBy=sockets.target",
        ]
        return head(of: name) + lines.joined(separator: "\n") + "\n"
    }

    private func label() throws(LocalFailure) -> String {
        home.isNamed ? " of \(try UnitValue.whole(home.data))" : ""
    }

    // MARK: The service

    /// The unit that runs the node.
    package func serviceUnit() throws(LocalFailure) -> String {
        var lines = [
            "[Unit]", "Description=Baton node\(try label())", "Documentation=man:baton(1)",
            "Requires=\(name)\(Self.suffixes.socket)", "After=\(name)\(Self.suffixes.socket)",
            "# A node that fails immediately is not restarted forever by new connections.",
            "StartLimitIntervalSec=10", "StartLimitBurst=5", "",
            "[Service]", "Type=notify", "NotifyAccess=main", "ExecStart=\(try command("node"))",
        ]
        if let dataFolder { lines.append("Environment=\(try UnitValue.word("XDG_DATA_HOME=" + dataFolder))") }
        lines += [
            "# SQLite keeps its temporary files beside its databases: the service can write nowhere else.",
            "Environment=\(try UnitValue.word("SQLITE_TMPDIR=" + home.data))", "",
            "# Restart after a crash, but not after an error that a person must fix.",
            "Restart=on-failure", "RestartSec=3",
            "RestartPreventExitStatus=\(Self.lasting.map { String($0.rawValue) }.joined(separator: " "))",
            "# The repair of a damaged database can take long.",
            "TimeoutStartSec=infinity", "TimeoutStopSec=30", "KillMode=mixed", "",
            "# Its memory holds keys, so it leaves no core dump; its files are for this user alone.",
            "LimitCORE=0", "UMask=0077",
            "RuntimeDirectory=baton", "RuntimeDirectoryMode=0700", "RuntimeDirectoryPreserve=yes", "",
        ]
        lines += Self.memory + [""] + Self.filters
        if isSandboxed {
            lines += [
                "", "# These need user namespaces; `baton service install --no-sandbox` leaves them out.",
            ]
            lines += Self.sandbox + ["ReadWritePaths=-\(try UnitValue.word(home.data))"]
        }
        lines += ["", "[Install]", "WantedBy=default.target"]
        return head(of: name) + lines.joined(separator: "\n") + "\n"
    }

    // MARK: The meaning of texts

    /// The unit that runs `baton embed`.
    ///
    /// It starts and stops with the node. The unit has fewer restrictions than that of the node, because the person's
    /// program may need devices and executable memory. It has the variables of the shell in which the service was
    /// installed, because the program and its configuration were found by them.
    package func embeddingUnit() throws(LocalFailure) -> String {
        let node = name + Self.suffixes.service
        var lines = [
            "[Unit]", "Description=Meaning of texts for the Baton node\(try label())",
            "Documentation=man:baton(1)", "PartOf=\(node)", "After=\(node)",
            "# A program that ends repeatedly is not restarted forever.",
            "StartLimitIntervalSec=300", "StartLimitBurst=10", "",
            "[Service]", "Type=exec", "ExecStart=\(try command("embed"))",
        ]
        for variable in variables + (dataFolder.map { ["XDG_DATA_HOME=" + $0] } ?? []) {
            lines.append("Environment=\(try UnitValue.word(variable))")
        }
        lines += [
            "",
            "# It is restarted with the node, and after a crash, but not if the configuration has no `embed`.",
            "Restart=on-failure", "RestartSec=3",
            "RestartPreventExitStatus=\(Self.lasting.map { String($0.rawValue) }.joined(separator: " "))",
            "TimeoutStopSec=10", "KillMode=mixed", "",
            "# Its memory holds texts of items, so it leaves no core dump; other programs have priority.",
            "LimitCORE=0", "UMask=0077", "NoNewPrivileges=yes", "Nice=10", "",
            "[Install]", "WantedBy=\(node)",
        ]
        return head(of: name + "-embed") + lines.joined(separator: "\n") + "\n"
    }

    // MARK: Offers

    /// The unit that runs `baton watch --notify` while the person's desktop runs.
    ///
    /// When the unit starts, the desktop has told the service manager where windows are opened. If the unit is
    /// restarted, programs that were started by an offer keep running.
    package func notifyingUnit() throws(LocalFailure) -> String {
        var lines = [
            "[Unit]", "Description=Offers of the Baton node\(try label())", "Documentation=man:baton(1)",
            "PartOf=graphical-session.target", "After=graphical-session.target",
            "# A program that ends repeatedly is not restarted forever.",
            "StartLimitIntervalSec=300", "StartLimitBurst=10", "",
            "[Service]", "Type=exec", "ExecStart=\(try command("watch", "--notify"))",
        ]
        for variable in variables + (dataFolder.map { ["XDG_DATA_HOME=" + $0] } ?? []) {
            lines.append("Environment=\(try UnitValue.word(variable))")
        }
        lines += [
            "", "Restart=on-failure", "RestartSec=3",
            "RestartPreventExitStatus=\(Self.lasting.map { String($0.rawValue) }.joined(separator: " "))",
            "TimeoutStopSec=10", "# Windows that an offer has opened stay open.", "KillMode=process", "",
            "[Install]", "WantedBy=graphical-session.target",
        ]
        return head(of: name + "-notify") + lines.joined(separator: "\n") + "\n"
    }

    private func command(_ subcommand: String...) throws(LocalFailure) -> String {
        var words = [program] + subcommand
        if home.isNamed { words += ["--home", home.data] }
        var quoted: [String] = []
        for word in words { quoted.append(try UnitValue.word(word, inCommand: true)) }
        return quoted.joined(separator: " ")
    }

    /// The failures after which a restart would not help.
    private static let lasting: [LocalFailure.Code] = [
        .usage, .notInitialised, .nodeRunning, .versionMismatch,
    ]

    /// Limits the memory to far more than a node needs.
    ///
    /// A node with an unknown fault then can't use up the machine's memory.
    private static let memory = [
        "# A node takes at most 64 MiB. The page cache of the files that it has read counts here, too, and is dropped at",
        "# the first limit. A node that reaches the second limit has a fault, and is restarted.",
        "MemoryHigh=192M", "MemoryMax=256M",
    ]

    /// Restrictions that every user's service may have.
    private static let filters = [
        "NoNewPrivileges=yes", "MemoryDenyWriteExecute=yes", "LockPersonality=yes", "RestrictRealtime=yes",
        "RestrictSUIDSGID=yes", "RestrictNamespaces=yes",
        "# The C library asks netlink which kinds of addresses this machine has.",
        "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
        "KeyringMode=private", "SystemCallArchitectures=native",
        "SystemCallFilter=@system-service", "SystemCallFilter=~@privileged",
        "# Asks the kernel whether a time server keeps the clock right; setting the clock takes a capability.",
        "SystemCallFilter=adjtimex clock_adjtime",
        "SystemCallErrorNumber=EPERM",
    ]

    /// Restrictions that need user namespaces.
    ///
    /// `/tmp` is not replaced, because a backup may be there. `ProtectKernelTunables` and `ProtectKernelLogs` are left
    /// out, because they fail in some containers. They protect only from root, and no process can become root here.
    /// `ProtectClock` is left out, because the service could not find out whether the clock is synchronized. Without
    /// capabilities, no process can set the clock anyway.
    private static let sandbox = [
        "PrivateUsers=yes", "CapabilityBoundingSet=", "PrivateDevices=yes", "ProtectSystem=strict",
        "ProtectHome=read-only", "ProtectKernelModules=yes", "ProtectControlGroups=yes",
        "ProtectHostname=yes",
        "InaccessiblePaths=-%h/.ssh -%h/.gnupg",
    ]
}
