import BatonClient
import BatonCommand
import BatonCore
import BatonNetwork
import ClientSupport
import Support
import Testing

/// The words of all findings, each of which a person can tell from the others.
@Suite struct `Findings of a checkup` {
    private let home: Home

    init() throws { home = try Home(option: "/tmp/some home") { _ in nil } }

    /// Checks the marks and the outcomes of findings, and that a person can tell them apart.
    private func check(
        _ findings: [Finding], _ expected: [(outcome: String, mark: Finding.Mark)],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(findings.map(\.outcome) == expected.map(\.outcome), sourceLocation: sourceLocation)
        #expect(findings.map(\.mark) == expected.map(\.mark), sourceLocation: sourceLocation)
        let texts = findings.map { "\($0.found)" }
        #expect(Set(texts).count == texts.count, "\(texts)", sourceLocation: sourceLocation)
        for finding in findings {
            #expect(!finding.found.isEmpty && !finding.subject.isEmpty, sourceLocation: sourceLocation)
            let last = finding.found.text.last
            #expect(last != "." && last != " ", "\(finding.found)", sourceLocation: sourceLocation)
            if let advice = finding.advice {
                #expect(advice.text.last == ".", "\(advice)", sourceLocation: sourceLocation)
            }
        }
    }

    @Test func `each state of the home, its permissions and the node has its own words`() {
        check(
            [HomeState.ready(["default"]), .noAccount, .notFolder, .unreadable("Permission denied")]
                .map { $0.finding(of: home) },
            [("ready", .ok), ("noAccount", .problem), ("notFolder", .problem), ("unreadable", .problem)])
        check(
            [
                PrivacyState.closed, .open("/a", mode: 0o755), .foreign("/a", owner: 7), .leftByRoot("/a"),
                .socketFolder("open"),
            ].map { $0.finding(of: home) },
            [
                ("closed", .ok), ("open", .problem), ("foreign", .problem), ("leftByRoot", .problem),
                ("socketFolder", .problem),
            ])
        check(
            [
                NodeState.running(process: 7), .notRunning, .readOnly("/tmp"), .withoutAccount, .socketGone,
                .silent(.seconds(5)),
                .incompatible("old"), .foreign("not yours"), .failed("it broke"),
            ].map { $0.finding(of: home) },
            [
                ("running", .ok), ("notRunning", .problem), ("readOnly", .problem), ("withoutAccount", .note),
                ("socketGone", .problem), ("silent", .problem),
                ("incompatible", .problem), ("foreign", .problem), ("failed", .problem),
            ])
        check(
            [VersionState(node: "2", command: "2"), VersionState(node: "1", command: "2")]
                .map { $0.finding(of: home) }, [("same", .ok), ("differs", .warning)])
        check(
            [AccountState.served(name: "work", account: "abc"), .failed(name: "work", "no disk")]
                .map(\.finding), [("served", .ok), ("failed", .problem)])
    }

    @Test func `suggested commands repeat the --home option`() {
        let finding = NodeState.notRunning.finding(of: home)
        #expect(finding.advice?.text.contains("`baton node --home /tmp/some home`") == true)
        let open = PrivacyState.open("/a", mode: 0o755).finding(of: home)
        #expect(open.advice == "Type `chmod -R go= '/tmp/some home'`.")
    }

    @Test
    func `for a read-only disk the advice is to remount the home, or to mount a tmpfs on its socket folder`()
    {
        let found = NodeState.readOnly("/tmp").finding(of: home).advice?.text ?? ""
        #expect(found.hasPrefix("`findmnt -T /tmp` shows") && !found.contains("tmpfs"), "\(found)")
        let there = NodeState.readOnly(home.runtime).finding(of: home).advice?.text ?? ""
        #expect(there.contains("uid=$(id -u) tmpfs /tmp/some home/run`."), "\(there)")
    }

    @Test func `each kind of failure to call the node is a separate state`() {
        func state(_ code: LocalFailure.Code, after elapsed: Duration = .zero) -> String {
            NodeState(LocalFailure(code, "x"), of: home, after: .seconds(5), elapsed).finding(of: home)
                .outcome
        }
        #expect(state(.noNode) == "notRunning" && state(.notInitialised) == "withoutAccount")
        #expect(state(.versionMismatch) == "incompatible" && state(.notAllowed) == "foreign")
        #expect(state(.failed, after: .seconds(5)) == "silent" && state(.failed) == "failed")
    }

    @Test func `each state of the port and the firewall has its own words`() {
        check(
            [
                PortState.open(["[::]:4817"]), .localOnly(["127.0.0.1:4817"]),
                .unanswered("10.0.0.2:4817", reason: "Connection refused"), .free(4817), .taken(4817),
            ].map { $0.finding(of: home) },
            [
                ("open", .ok), ("localOnly", .warning), ("unanswered", .problem), ("free", .note),
                ("taken", .warning),
            ])
        check(
            [
                FirewallState.passed(device: "desktop", from: "10.0.0.3"),
                .answersHere(["10.0.0.2:4817"], .ufw),
                .blocked("10.0.0.2:4817", reason: "timed out", .nftables), .noAddress, .notNeeded,
                .unknown("no netlink"), .noCarrier(["eth0"]),
            ].map { $0.finding(port: 4817) },
            [
                ("passed", .ok), ("answersHere", .note), ("blocked", .problem), ("noAddress", .warning),
                ("notNeeded", .note), ("unknown", .note), ("noCarrier", .problem),
            ])
        for tool in FirewallTool.allCases {
            let advice = FirewallState.answersHere(["10.0.0.2:4817"], tool).finding(port: 4817).advice
            #expect(advice?.text.contains(tool.allow(port: 4817).text) == true)
        }
    }

    @Test func `each state of discovery has its own words, and is derived from the node's status`() throws {
        check(
            [DiscoveryState.heard, .off, .notNeeded, .noCarrier, .limited("no multicast on eth0: refused")]
                .map { $0.finding(of: home) },
            [
                ("heard", .ok), ("off", .note), ("notNeeded", .note), ("noCarrier", .note),
                ("limited", .warning),
            ])
        let (any, local) = (try SocketAddress(text: "[::]:4817"), try SocketAddress(text: "127.0.0.1:4817"))
        var status = Example.status([])
        #expect(DiscoveryState(status, listening: [any]) == .heard)
        #expect(DiscoveryState(status, listening: [local]) == .notNeeded)
        status.discovery = NodeStatus.discoveryOff
        #expect(DiscoveryState(status, listening: [any]) == .off)
        status.discovery = "no multicast."
        #expect(DiscoveryState(status, listening: [any]).finding(of: home).found == "no multicast")
    }

    @Test
    func
        `each state of the announced names has its own words, and is read only while the node announces`()
        throws
    {
        check(
            [NameState.hidden, .announced("thinkpad.local"), .unknown("no memory")].map(\.finding),
            [("hidden", .ok), ("announced", .warning), ("unknown", .note)])
        let own = try SocketAddress(text: "10.0.0.2:1").host
        func outcomes(
            _ name: Result<String?, NetworkError>, listening address: String = "[::]:4817",
            discovery: String? = nil
        ) -> [String] {
            let network = OwnNetwork(
                hosts: .success([own]), tool: .ufw, connect: { _ in nil }, announcedName: { name })
            var status = Example.status([], listening: address)
            status.discovery = discovery
            return network.findings(status, [], of: home).filter { $0.check == .names }.map(\.outcome)
        }
        #expect(outcomes(.success(nil)) == ["hidden"])
        #expect(outcomes(.success("thinkpad.local")) == ["announced"])
        #expect(outcomes(.success("thinkpad.local"), discovery: "no multicast on wlan0.") == ["announced"])
        let error = try #require(
            PortTrial.connect(to: SocketAddress(text: "127.0.0.1:\(Listening().port)")))
        #expect(outcomes(.failure(error)) == ["unknown"])
        for silent in [
            outcomes(.success("x"), listening: "127.0.0.1:1"),
            outcomes(.success("x"), discovery: NodeStatus.discoveryOff),
        ] { #expect(silent.isEmpty) }
    }

    @Test func `the states of the port and the firewall follow from trial connections`() throws {
        let any = SocketAddress.any(port: 4817)
        let local = try SocketAddress(text: "127.0.0.1:4817")
        let own = try SocketAddress(text: "10.0.0.2:1").host
        let refused = try #require(
            PortTrial.connect(to: SocketAddress(text: "127.0.0.1:\(Listening().port)")))
        #expect(refused.code == .refused)
        let listening = try Listening()
        #expect(PortTrial.connect(to: try SocketAddress(text: "127.0.0.1:\(listening.port)")) == nil)
        #expect(PortState(listening: [any]) { _ in nil } == .open(["[::]:4817"]))
        #expect(PortState(listening: [local]) { _ in nil } == .localOnly(["127.0.0.1:4817"]))
        #expect(
            PortState(listening: [any]) { _ in refused }
                == .unanswered("127.0.0.1:4817", reason: refused.reason))
        #expect(PortState(withoutNode: { _ in refused }) == .free(4817))
        #expect(PortState(withoutNode: { _ in nil }) == .taken(4817))

        func firewall(
            _ addresses: [SocketAddress], _ hosts: [SocketAddress.Host], from: String? = nil,
            _ connect: @escaping PortTrial.Connect
        ) -> FirewallState {
            FirewallState(
                listening: addresses, own: hosts, accepted: from.map { ("desktop", $0) }, tool: .ufw,
                connecting: connect)
        }
        #expect(firewall([any], [own]) { _ in nil } == .answersHere(["10.0.0.2:4817"], .ufw))
        #expect(
            firewall([any], [own]) { _ in refused }
                == .blocked("10.0.0.2:4817", reason: refused.reason, .ufw))
        #expect(firewall([any], []) { _ in nil } == .noAddress)
        #expect(firewall([local], [own]) { _ in nil } == .notNeeded)
        #expect(
            firewall([any], [own], from: "10.0.0.9") { _ in refused }
                == .passed(device: "desktop", from: "10.0.0.9"))
    }

    @Test func `only a connection from another machine proves that the firewall lets connections in`() throws
    {
        let own = try SocketAddress(text: "10.0.0.2:1").host
        let network = OwnNetwork(
            hosts: .success([own]), tool: .ufw, connect: { _ in nil }, announcedName: { .success(nil) })
        func outcome(_ address: String, isDialled: Bool = false) -> String? {
            let connection = OpenConnection(address, isDialled: isDialled)
            let places = PlacesReply(Example.desktop, [], connection: connection)
            return network.findings(Example.status([], listening: "[::]:4817"), [places], of: home)
                .first { $0.check == .firewall }?.outcome
        }
        #expect(outcome("10.0.0.9:5000") == "passed")
        #expect(outcome("10.0.0.9:5000", isDialled: true) == "answersHere")
        #expect(outcome("10.0.0.2:5000") == "answersHere" && outcome("127.0.0.1:5000") == "answersHere")
    }

    @Test func `each state of a device has its own words`() {
        let (away, now) = (Example.peer(connected: false), Example.now)
        var (revoked, left, removed, here) = (away, away, away, Example.peer(connected: false))
        revoked.revocation = .init(date: now, revoker: "laptop", isOfOwner: false)
        (left.hasLeft, left.removed, removed.removed) = (true, now, now)
        here.device = Example.laptop
        // Its disk is full, and it is connected for a moment again and again.
        var full = Example.peer(
            inStep: false, trouble: "it can't store what it is sent: the disk is full")
        (full.closeCode, full.backlog) = (3, SyncBacklog(toSend: 2))
        let cases: [(DeviceStatus, Bool, DeviceState)] = [
            (Example.peer(), true, .inStep), (Example.peer(inStep: false), true, .syncing),
            (away, true, .notConnected), (away, false, .noAddress), (removed, true, .removed),
            (left, true, .left), (revoked, true, .revoked), (here, false, .thisMachine),
            (full, true, .notStoring),
        ]
        for (status, hasPlaces, state) in cases {
            #expect(DeviceState(status, hasPlaces: hasPlaces) == state)
        }
        let findings = cases.map { $2.finding($0, at: Example.present, options: " --home x") }
        check(
            findings + [
                DeviceState.alone(options: ""), DeviceState.unknown(nil),
                DeviceState.unanswering(full, for: .seconds(5), options: ""),
            ],
            [
                ("inStep", .ok), ("syncing", .note), ("notConnected", .problem), ("noAddress", .problem),
                ("removed", .note), ("left", .note), ("revoked", .note), ("thisMachine", .note),
                ("notStoring", .problem), ("alone", .note), ("unknown", .note), ("unanswering", .problem),
            ])
        #expect(findings[8].found.text.hasPrefix("it can't store what it is sent: the disk is full"))
        #expect(findings[3].advice?.text.contains("--at HOST:PORT --home x`") == true)
        #expect(findings[0].device == Example.desktop)
    }

    @Test
    func `a device is reported as storing nothing only if no waiting change was stored between two checks`() {
        func status(_ toSend: UInt64, since: Int64) -> DeviceStatus {
            var status = Example.peer(inStep: false)
            status.backlog = SyncBacklog(toSend: toSend)
            status.outOfStepSince = WallTime(milliseconds: since)
            return status
        }
        func isTold(_ earlier: DeviceStatus, _ later: DeviceStatus, isPrivate: Bool = false) -> Bool {
            DeviceState.hasStoredNothing(from: earlier, to: later, isPrivate: isPrivate)
        }
        #expect(isTold(status(2, since: 1), status(2, since: 1)))
        #expect(!isTold(status(0, since: 1), status(0, since: 1)), "nothing waits for it")
        #expect(!isTold(status(2, since: 1), status(1, since: 1)), "it has stored one")
        #expect(!isTold(status(1, since: 1), status(1, since: 2)), "one was stored, and another one came")
        #expect(!isTold(status(2, since: 1), status(2, since: 1), isPrivate: true), "the index is held back")
    }

    @Test func `the clock of a device that is not connected is described in the past tense`() {
        func found(isConnected: Bool) -> String {
            var status = Example.peer(connected: isConnected)
            (status.version, status.clockLead) = ("0.1.0", 0)
            let state = DeviceState(status, hasPlaces: true)
            return state.finding(status, at: Example.present, options: "").found.text
        }
        #expect(found(isConnected: true).hasSuffix("; Baton 0.1.0, its clock is right"))
        #expect(
            found(isConnected: false).hasSuffix("; when last connected: Baton 0.1.0, its clock was right"))
    }

    private static let outcomes: [(ProbeOutcome, String, Finding.Mark)] = [
        (.reached(version: "0.1.0", clockLead: 1500), "reached", .ok),
        (.reached(version: "0.2.0", clockLead: -600_000), "clockDiffers", .warning),
        (.reached(version: "0.2.0", clockLead: 900_000_000), "clockDiffers", .problem),
        (.nameUnknown("Name or service not known"), "nameUnknown", .problem),
        (.nameUnanswered("Temporary failure"), "nameUnanswered", .problem), (.notTried, "notTried", .note),
        (.refused, "refused", .problem), (.noAnswer(milliseconds: 5000), "noAnswer", .problem),
        (.unreachable("No route to host"), "unreachable", .problem),
        (.forbidden("Operation not permitted"), "forbidden", .problem),
        (.silent(milliseconds: 5000), "silent", .problem), (.closed, "notOfAccount", .problem),
        (.notTLS("wrong version number"), "notTLS", .problem), (.alert(120), "alert", .problem),
        (.notOfAccount("no common protocol"), "otherCertificate", .problem),
        (.notYetValid("valid 2 days from now"), "notYetValid", .problem),
        (.otherDevice(Example.laptop), "otherDevice", .problem), (.thisMachine, "thisMachine", .problem),
        (.expired(Example.now), "expired", .problem), (.notAccepted("unknown"), "notAccepted", .problem),
        (.refusedByDevice(code: 27, "that device was revoked"), "revoked", .problem),
        (.refusedByDevice(code: 28, "it has expired"), "ownExpired", .problem),
        (.refusedByDevice(code: 22, "too old"), "version", .problem),
        (.refusedByDevice(code: 4, "too many connections"), "refusedByDevice", .problem),
        (.noGreeting(milliseconds: 5000), "noGreeting", .problem), (.failed("it broke"), "failed", .problem),
    ]

    @Test func `each outcome at an address has its own words, and says what to do`() {
        let place = KnownPlace("192.168.1.7:4817", .met)
        let findings = Self.outcomes.map { outcome, _, _ in
            AddressState(outcome).finding(
                Example.peer(connected: false), place, resolved: nil, at: Example.present, options: "")
        }
        check(findings, Self.outcomes.map { ($1, $2) })
        for finding in findings where finding.mark == .problem || finding.mark == .warning {
            #expect(finding.advice != nil, "\(finding.outcome)")
        }
        #expect(findings[0].address == "192.168.1.7:4817" && findings[0].device == Example.desktop)
    }

    @Test func `the tag of each state of an address is the name of its case`() {
        for (outcome, word, _) in Self.outcomes {
            let state = AddressState(outcome)
            let name = String(describing: state).prefix { $0 != "(" }
            #expect(state.tag == word && name == word)
        }
    }

    @Test func `for an address that answers, advice is given only while its device is not connected`() {
        func advice(_ status: DeviceStatus) -> String? {
            AddressState(.reached(version: "0.1.0", clockLead: 0)).finding(
                status, KnownPlace("a:1", .met), resolved: nil, at: Example.present, options: " --home x"
            ).advice?.text
        }
        var removed = Example.peer(connected: false)
        removed.removed = Example.now
        let short = Example.desktop.identifier.short
        #expect(advice(Example.peer(connected: false))?.contains("`baton doctor \(short) --home x`") == true)
        #expect(advice(Example.peer()) == nil && advice(removed) == nil)
    }

    @Test func `for a connected device a failing address is reported as a note, and not as a problem`() {
        let place = KnownPlace("192.168.1.7:4817", .told)
        for (outcome, word, mark) in Self.outcomes {
            let finding = AddressState(outcome).finding(
                Example.peer(), place, resolved: nil, at: Example.present, options: "")
            #expect(finding.outcome == word && finding.mark == (mark == .problem ? .note : mark))
        }
    }

    @Test func `an address is shown with its source, and with the address that a name resolved to`() {
        let sources: [(KnownPlace, String)] = [
            (KnownPlace("a:1", .named, isNamed: true), "set by you"),
            (KnownPlace("a:1", .met), "met there"),
            (KnownPlace("a:1", .met, isNamed: true), "set by you, met there"),
            (KnownPlace("a:1", .told), "reported by another device"),
            (KnownPlace("a:1", .found), "announced on a local network"),
        ]
        for (place, words) in sources {
            let finding = AddressState.refused.finding(
                Example.peer(), place, resolved: "10.0.0.2:1", at: Example.present, options: "")
            #expect(finding.subject.text == "a:1 → 10.0.0.2:1 (\(words))")
        }
    }

    @Test func `every TLS alert has a name`() {
        #expect(TLSAlert.name(of: 120) == "no application protocol" && TLSAlert.name(of: 48) == "unknown CA")
        #expect(TLSAlert.name(of: 200) == "unknown")
        #expect(Set(TLSAlert.names.values).count == TLSAlert.names.count)
    }

    @Test func `each state of the store, the disk and the limits has its own words`() throws {
        check(
            [StoreState.sound, .damaged(["/x.damaged-1"])].map { $0.finding(options: "") },
            [("sound", .ok), ("damaged", .warning)])
        check(
            [
                DiskState(freeBytes: 1 << 40), DiskState(freeBytes: 100 << 20), DiskState(freeBytes: 1 << 10),
                .readOnly, .unknown("no such file"),
            ].map { $0.finding(of: home) },
            [
                ("free", .ok), ("low", .warning), ("full", .problem), ("readOnly", .problem),
                ("unknown", .warning),
            ])
        let needed = LimitState.needed
        check(
            [
                LimitState(files: needed, watches: needed), LimitState(files: needed - 1, watches: nil),
                LimitState(files: needed, watches: needed - 1), .unknown("/proc/1/limits"),
            ].map(\.finding),
            [("enough", .ok), ("fewFiles", .warning), ("fewWatches", .warning), ("unknown", .note)])
        let limits =
            "Limit   Soft  Hard  Units\nMax open files            1024                 524288               files\n"
        #expect(LimitState.openFiles(in: limits) == 524_288 && LimitState.openFiles(in: "") == nil)
        let folder = try TemporaryFolder()
        let own = try Home(option: folder.path) { _ in nil }
        try folder.makeIdentity()
        #expect(StoreState(examining: own) == .sound)
        let file = own.account() + "/index.sqlite.damaged-2026-11-20"
        try File.write("", to: file)
        #expect(StoreState(examining: own) == .damaged([file]))
        #expect(StoreState(examining: own).isTold(by: ["it was moved to \(file); 1 change"]))
        #expect(!StoreState(examining: own).isTold(by: []))
        // Without the home, the command would delete what another home keeps.
        let option = " --home \(folder.path)"
        let advice = "Once nothing is missing, `baton doctor --clean\(option)` deletes"
        for finding in [
            StoreState(examining: own).finding(options: option),
            MovedDatabasesState(examining: own).finding(options: option),
        ] { #expect(finding?.advice?.text.contains(advice) == true) }
    }

    @Test func `each state of the service has its own words`() {
        func state(
            _ active: String, exit: Int32 = 0, process: Int32 = 0, isListening: Bool = false,
            unit: String = "ProtectSystem=strict", node: Int32? = nil
        ) -> ServiceState {
            let known = [
                "ActiveState": active, "ExecMainStatus": "\(exit)", "MainPID": "\(process)",
                "UnitFileState": "enabled",
            ]
            return ServiceState(
                file: "/u/baton.service", manager: .init(known, isListening: isListening), trouble: nil,
                isLingering: true, unit: unit, node: node)
        }
        func state(file: String?, trouble: String?) -> ServiceState {
            ServiceState(file: file, manager: nil, trouble: trouble, isLingering: nil, unit: "", node: nil)
        }
        let states: [ServiceState] = [
            state(file: nil, trouble: "no bus"), state(file: "/u", trouble: "no bus"),
            state("active", process: 7, node: 7), state("active", process: 7, unit: "", node: 7),
            state("active", process: 7, node: 8), state("inactive", isListening: true), state("inactive"),
            state("failed", exit: 226), state("failed", exit: 203), state("failed", exit: 13),
            .unknown("HOME is not set"), .notInstalled,
        ]
        check(
            states.map { $0.finding(of: home) },
            [
                ("noManager", .note), ("managerSilent", .warning), ("sandboxed", .ok),
                ("notSandboxed", .note),
                ("otherProcess", .warning), ("waiting", .note), ("stopped", .warning),
                ("sandboxRefused", .problem), ("programMissing", .problem), ("failed", .problem),
                ("unknown", .note), ("notInstalled", .note),
            ])
    }

    @Test func `a finding is a line with advice below it, and an object in JSON`() {
        let finding = NodeState.socketGone.finding(of: home)
        #expect(finding.lines.count == 2)
        #expect(finding.lines[0].text.hasPrefix("✗ node: one is running on this home"))
        #expect(finding.lines[1].text.hasPrefix("    Stop it"))
        #expect(
            finding.json.keys
                == ["check", "outcome", "mark", "subject", "found", "advice", "device", "address"])
        #expect(finding.json["outcome"]?.string == "socketGone" && finding.json["mark"]?.string == "problem")
        let address = AddressState.refused.finding(
            Example.peer(), KnownPlace("a:1", .met), resolved: nil, at: Example.present, options: "")
        #expect(address.lines[0].text.hasPrefix("  - a:1 (met there): connection refused"))
        #expect(address.json["device"]?["name"]?.string == "desktop")
        #expect(Set(Finding.Mark.allCases.map(\.symbol.text)).count == 4)
    }

    @Test func `hostile text in a finding can't steer a terminal`() {
        let outcome = ProbeOutcome.refusedByDevice(code: 4, "\u{1b}[2Jfake\n✓ node: fine")
        let finding = AddressState(outcome).finding(
            Example.peer(connected: false), KnownPlace("a\u{1b}[1m:1", .told), resolved: nil,
            at: Example.present, options: "")
        for line in finding.lines {
            #expect(!line.text.contains("\u{1b}") && !line.text.contains("\n"), "\(line)")
        }
    }

    @Test func `the last line counts the problems and warnings`() {
        var count = FindingCount()
        count.recordMark(.ok)
        count.recordMark(.note)
        #expect(count.line == "Everything works." && !count.hasProblems)
        count.recordMark(.warning)
        #expect(count.line == "1 warning." && !count.hasProblems)
        count.recordMark(.problem)
        count.recordMark(.problem)
        #expect(count.line == "2 problems, 1 warning." && count.hasProblems)
    }
}
