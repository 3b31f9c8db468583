import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton doctor`: checks everything that machines need to connect to each other, and says what to do.
enum Doctor {
    static var specification: CommandSpecification {
        CommandSpecification(
            "doctor", "Find out why a machine can't be reached, and what to do.",
            operands: [.optional("DEVICE")],
            options: [
                .value(
                    "app", "APP", "what is known of an app, and of its item or activity ID, which may follow"),
                .value("item", "APP", "why a search shows the item of this app, or not; its ID follows"),
                .value("activity", "ID", "why a search shows this activity, or not"),
                .value("words", "WORDS", "with --item or --activity: the words of the search"),
                .flag("clean", "delete moved databases: damaged ones, and replaced ones"),
            ],
            notes: [
                "Checks the home, the node, its port and the firewall, then each machine of the",
                "account (or only DEVICE) at each of its known addresses, then the store, the",
                "disk, the service and the browser extension. A line begins with a tick if all",
                "is well, - if it helps to know, ! if something may stop working, and a cross if",
                "it does not work; the next step stands below it. Without a node, everything",
                "that needs none is checked. Open connections go on. With sudo, the home of the",
                "person who typed it is checked, as that person.",
                "The exit status is 0 if nothing is wrong, and 21 if something does not work.", "",
                "baton doctor --item APP ID says why a search does not show an item, and",
                "baton doctor --activity ID why it does not show an activity. With --words, they",
                "say at which place it is, or which of the words it lacks.", "",
                "baton doctor --app APP says whether an app runs or how it is started, whether",
                "the intents that it has declared can be performed, how much it has indexed and",
                "how much of that has expired, what it should index again, and the state of its",
                "current activities: whether the app holds them, and whether they are eligible",
                "for hand-off and search, or hidden. With an ID, it says what is known of that",
                "item or activity alone, also whether it has expired or was deleted.", "",
                "baton doctor --clean deletes the damaged databases that a repair has moved,",
                "and those that a restored backup has replaced. Do it once nothing is missing.",
            ])
    }

    /// Makes the checks that the options ask for; returns the exit status.
    static func run(_ call: Call) throws(LocalFailure) -> Int32 {
        let person = try becomePerson(call)
        if call.arguments.has("clean") { return try clean(call) }
        if call.arguments.has("app") { return try examine(call) }
        if call.arguments.has("item") || call.arguments.has("activity") { return try explain(call) }
        guard !call.arguments.has("words") else {
            throw LocalFailure(.usage, "--words works with --item or --activity only.")
        }
        var checkup = Checkup(call: call, home: try call.home(), device: call.arguments[0])
        return try checkup.run(for: person)
    }

    /// If the command was typed with sudo, makes this process run as the person who typed it; returns that person.
    ///
    /// If a home is named, the user stays the same.
    private static func becomePerson(_ call: Call) throws(LocalFailure) -> SudoUser? {
        let isNamed =
            call.arguments.has("home") || call.environment("BATON_HOME").map { !$0.isEmpty } ?? false
        guard !isNamed, let person = try SudoUser(environment: call.environment) else { return nil }
        try person.become()
        return person
    }
}

extension Doctor {
    /// Explains why a search shows an item or activity, or why it does not.
    private static func explain(_ call: Call) throws(LocalFailure) -> Int32 {
        let (app, activity) = (call.arguments.value("item"), call.arguments.value("activity"))
        let words = call.arguments.value("words")
        guard words.map({ !Phrase.all(of: $0).isEmpty }) ?? true else {
            throw LocalFailure(.usage, "--words needs at least one letter or digit to search for.")
        }
        let (explanations, name): ([SearchExplanation], String)
        switch (app, activity, call.arguments[0]) {
        case (let app?, nil, let identifier?):
            var node = try call.connect()
            name = "\(identifier) of \(app)"
            explanations = try node.ask(ExplainItem(app: app, identifier, words: words)).explanations
        case (nil, let identifier?, nil):
            var node = try call.connect()
            name = identifier
            explanations = try node.ask(ExplainActivity(identifier, words: words)).explanations
        default:
            throw LocalFailure(
                .usage, "Type either `baton doctor --item APP ID` or `baton doctor --activity ID`.")
        }
        let options = try call.options()
        return print(explanations.map { $0.finding(of: name, options: options) }, call)
    }

    /// Deletes the databases that were moved.
    private static func clean(_ call: Call) throws(LocalFailure) -> Int32 {
        guard call.arguments[0] == nil,
            !["app", "item", "activity", "words"].contains(where: call.arguments.has)
        else { throw LocalFailure(.usage, "Type `baton doctor --clean`.") }
        let home = try call.home()
        let accounts = home.meant.map { [$0] } ?? home.standingAccounts
        let findings = accounts.flatMap { MovedDatabasesState(examining: home.of($0)).remove() }
        guard findings.isEmpty else { return print(findings, call) }
        return print([Finding(.store, "sound", .ok, "store", "no moved database is left")], call)
    }

    /// Shows what is known about an app, and about one of its items or activities.
    private static func examine(_ call: Call) throws(LocalFailure) -> Int32 {
        guard let app = call.arguments.value("app"), !app.isEmpty,
            !["item", "activity", "words"].contains(where: call.arguments.has)
        else { throw LocalFailure(.usage, "Type `baton doctor --app APP` or `baton doctor --app APP ID`.") }
        let (home, options) = (try call.home(), try call.options())
        let manifest = Result { () throws(LocalFailure) in try AppManifest.read(app, in: home) }
        let declaration = Result { () throws(LocalFailure) in try IntentManifestFile.read(app, in: home) }
        var node = try call.connect()
        let current = try node.activities(.withForgotten).filter { $0.app == app }
        let state = AppState(
            app, try node.ask(ListRegistrations()).registrations, manifest, try node.ask(ExamineApp(app)),
            declaration: declaration, current: current, options: options)
        guard let identifier = call.arguments[0] else {
            return print(state.findings + state.activityFindings, call)
        }
        return print(
            try state.findings + findings(of: identifier, app, current, &node, options: options), call)
    }

    /// Returns the findings about the items and activities of an app that have this identifier.
    private static func findings(
        of identifier: String, _ app: String, _ all: [ActivitySummary], _ node: inout NodeConnection,
        options: String
    ) throws(LocalFailure) -> [Finding] {
        let current = all.filter { activity in
            activity.identifier.hasPrefix(identifier.lowercased())
                || activity.activity.persistentIdentifier == identifier
        }
        var findings = current.flatMap { $0.findings(options: options) }
        var explanations = try node.ask(ExplainItem(app: app, identifier)).explanations
            .filter { $0.outcome != .unknown }
        if current.isEmpty, explanations.isEmpty {
            explanations += try node.ask(ExplainActivity(identifier)).explanations.filter { $0.app == app }
        }
        if findings.isEmpty, explanations.isEmpty { explanations = [SearchExplanation(.unknown, app: app)] }
        let name = "\(identifier) of \(app)"
        findings += explanations.map { $0.finding(of: name, options: options) }
        return findings
    }

    /// Prints findings; returns the exit status.
    private static func print(_ findings: [Finding], _ call: Call) -> Int32 {
        var count = FindingCount()
        for finding in findings {
            count.recordMark(finding.mark)
            if call.isJSON {
                call.console.print(finding.json)
            } else {
                for line in finding.lines { call.console.print(line) }
            }
        }
        return count.hasProblems ? Int32(LocalFailure.Code.problemFound.rawValue) : 0
    }
}

/// Makes all checks once, and prints the result of each check immediately.
private struct Checkup {
    let call: Call
    let home: Home
    /// The device that the person named, or nil to check all devices.
    let device: String?
    private var count = FindingCount()
    /// The accounts that the node does not serve.
    ///
    /// The reason for each has already been printed.
    private var troubled: Set<String> = []

    init(call: Call, home: Home, device: String?) {
        (self.call, self.home, self.device) = (call, home, device)
    }

    /// How long to wait for the node's answer to one call.
    private static let patience = Duration.seconds(5)

    /// The node's answers about one account.
    private struct Knowledge {
        var status: NodeStatus
        /// Whether this machine is private, so that its activities stay on it.
        var isPrivate: Bool
        /// Whether the account has at least one owner.
        var hasOwner: Bool
        /// The devices to check, and the known addresses of each.
        var devices: [(status: DeviceStatus, places: PlacesReply)]
    }

    mutating func run(for person: SudoUser?) throws(LocalFailure) -> Int32 {
        try demandDevice()
        if let person { try tell(person.finding) }
        try tell(HomeState(examining: home).finding(of: home))
        if let privacy = PrivacyState(examining: home) { try tell(privacy.finding(of: home)) }
        let process = try checkNode()
        let knowledge = process == nil ? nil : try checkAccount()
        try checkNetwork(knowledge, isNodeRunning: process != nil)
        if let knowledge {
            try checkDevices(knowledge)
        } else {
            try tell(DeviceState.unknown(device))
        }
        try checkMachine(knowledge, process: process)
        guard call.isJSON else {
            call.console.print(count.line)
            return exitStatus
        }
        return exitStatus
    }

    private var exitStatus: Int32 {
        count.hasProblems ? Int32(LocalFailure.Code.problemFound.rawValue) : 0
    }

    /// Throws if the person named a device that does not exist.
    ///
    /// This happens before anything is printed.
    private func demandDevice() throws(LocalFailure) {
        guard let device else { return }
        do throws(LocalFailure) {
            var node = try NodeConnection(home, within: Self.patience)
            node.waited = call.progress("Waiting for the node").tell
            _ = try node.ask(ListPlaces(device), within: Self.patience)
        } catch {
            // The checks themselves report every other failure, and give advice.
            guard error.code != .notFound else { throw error }
        }
    }

    /// Prints a finding immediately.
    ///
    /// If it is a part of a problem that was already printed, it is not counted as another problem.
    private mutating func tell(_ finding: Finding, isPart: Bool = false) throws(LocalFailure) {
        if !isPart { count.recordMark(finding.mark) }
        if call.isJSON {
            call.console.print(finding.json)
        } else {
            for line in finding.lines { call.console.print(line) }
        }
        try call.console.flush()
    }

    // MARK: The node

    /// Checks whether a node answers, and checks its version and accounts.
    ///
    /// Returns the number of the node's process, or nil if no node answers.
    private mutating func checkNode() throws(LocalFailure) -> Int32? {
        let watch = Stopwatch()
        let (hello, accounts): (LocalHello, [AccountStatus])
        do throws(LocalFailure) {
            (hello, accounts) = try askNode()
        } catch {
            try tell(
                NodeState(error, of: home, after: Self.patience, watch.elapsed).finding(of: home))
            return nil
        }
        try tell(NodeState.running(process: hello.process).finding(of: home))
        try tell(VersionState(node: hello.build).finding(of: home))
        for account in accounts where home.meant == nil || account.name == home.meant?.text {
            try tell(AccountState(account).finding)
            if account.trouble != nil { troubled.insert(account.name) }
        }
        return hello.process
    }

    private func askNode() throws(LocalFailure) -> (LocalHello, [AccountStatus]) {
        var node = try NodeConnection(home.of(nil), within: Self.patience)
        node.waited = call.progress("Waiting for the node").tell
        let accounts = try node.ask(ListAccounts(), within: Self.patience).accounts
        guard let hello = node.node else {
            throw LocalFailure(.failed, "The node did not say which version it is.")
        }
        return (hello, accounts)
    }

    /// Checks the account that the command is about.
    ///
    /// Returns the node's answers about the account, or nil if the node does not serve it.
    private mutating func checkAccount() throws(LocalFailure) -> Knowledge? {
        let knowledge: Knowledge
        do throws(LocalFailure) {
            knowledge = try askAccount()
        } catch  where error.code != .notFound {
            let name = home.meant?.text ?? AccountName.usual.text
            if troubled.contains(name) { return nil }
            try tell(AccountState.failed(name: name, error.description).finding)
            return nil
        }
        for trouble in knowledge.status.troubles { try tell(AccountState.trouble(trouble)) }
        if knowledge.isPrivate { try tell(AccountState.keptPrivate) }
        if knowledge.status.isLocked == true { try tell(AccountState.locked) }
        if knowledge.status.lacksPassphrase { try tell(AccountState.withoutPassphrase) }
        if !knowledge.hasOwner { try tell(AccountState.ownerless(options: try call.options())) }
        return knowledge
    }

    private func askAccount() throws(LocalFailure) -> Knowledge {
        var node = try NodeConnection(home, within: Self.patience)
        node.waited = call.progress("Waiting for the node").tell
        let status = try node.ask(GetStatus(), within: Self.patience)
        let isPrivate = try node.ask(GetSettings(), within: Self.patience)[.private] != 0
        let all = try node.ask(ListDevices(), within: Self.patience).devices
        let named = try device.map { (text) throws(LocalFailure) in try node.ask(ListPlaces(text)) }
        var devices: [(status: DeviceStatus, places: PlacesReply)] = []
        for status in all {
            if let named {
                if status.device.identifier == named.device.identifier { devices.append((status, named)) }
            } else if !status.device.isHere, status.revocation == nil, !status.hasLeft {
                devices.append((status, try node.ask(ListPlaces(status.device.identifier.description))))
            }
        }
        let members = all.filter { $0.revocation == nil && !$0.hasLeft }
        return Knowledge(
            status: status, isPrivate: isPrivate, hasOwner: members.contains(where: \.isOwner),
            devices: devices)
    }

    // MARK: The network

    /// Checks whether other machines can connect to this machine.
    private mutating func checkNetwork(
        _ knowledge: Knowledge?, isNodeRunning: Bool
    ) throws(LocalFailure) {
        let network = OwnNetwork.here
        guard let knowledge else {
            // The node that answers uses the port, even if it does not serve the account.
            guard !isNodeRunning else { return }
            return try tell(PortState(withoutNode: network.connect).finding(of: home))
        }
        let findings = network.findings(
            knowledge.status, knowledge.devices.map(\.places), of: home)
        for finding in findings { try tell(finding) }
    }

    /// Checks the other devices, and tries the addresses of each.
    private mutating func checkDevices(_ knowledge: Knowledge) throws(LocalFailure) {
        let devices = knowledge.devices
        guard !devices.isEmpty else { return try tell(DeviceState.alone(options: try call.options())) }
        let options = try call.options()
        let states = devices.map { DeviceState($0.status, hasPlaces: !$0.places.places.isEmpty) }
        let trials = zip(devices, states).flatMap { device, state in
            guard state.asksForAddresses else { return [ProbeAddress]() }
            return device.places.places.map {
                ProbeAddress(device.status.device.identifier.description, at: $0.address)
            }
        }
        let watch = Stopwatch()
        var running = try AddressTrials(trials, on: home)
        for (device, state) in zip(devices, states) {
            let finding = state.finding(device.status, at: .here, options: options)
            try tell(finding)
            let isPart = finding.mark == .problem
            guard state.asksForAddresses else { continue }
            var hasAnswered = false
            for place in device.places.places {
                let progress = call.progress("Trying \(place.address)")
                switch try running.next(waiting: progress.tell) {
                case .success(let reply):
                    for attempt in reply.attempts {
                        let address = AddressState(attempt.outcome)
                        hasAnswered = hasAnswered || address.isAnswer
                        let finding = address.finding(
                            device.status, place, resolved: attempt.resolved, at: .here, options: options)
                        try tell(finding, isPart: isPart)
                    }
                case .failure(let failure):
                    let address = AddressState.failed(failure.description)
                    let finding = address.finding(
                        device.status, place, resolved: nil, at: .here, options: options)
                    try tell(finding, isPart: isPart)
                }
            }
            if state == .syncing, !hasAnswered, !device.places.places.isEmpty {
                try checkProgress(of: device.status, since: watch, isPrivate: knowledge.isPrivate)
            }
        }
    }

    /// Checks whether a connected device has stored anything since the status `earlier`, after none of its addresses
    /// answered.
    ///
    /// A device to which no connection can be made may still store changes that are sent over an existing connection.
    private mutating func checkProgress(
        of earlier: DeviceStatus, since watch: Stopwatch, isPrivate: Bool
    ) throws(LocalFailure) {
        guard watch.elapsed >= Self.shortestWatch else { return }
        var node = try NodeConnection(home, within: Self.patience)
        let devices = try node.ask(ListDevices(), within: Self.patience).devices
        guard let status = devices.first(where: { $0.device.identifier == earlier.device.identifier }) else {
            return
        }
        let options = try call.options()
        let state = DeviceState(status, hasPlaces: true)
        if state == .notConnected || state == .notStoring {
            try tell(state.finding(status, at: .here, options: options))
        } else if DeviceState.hasStoredNothing(from: earlier, to: status, isPrivate: isPrivate) {
            try tell(DeviceState.unanswering(status, for: watch.elapsed, options: options))
        }
    }

    /// The shortest time in which a device that stores changes is certain to report progress.
    private static let shortestWatch = Duration.seconds(2)

    // MARK: This machine

    /// Checks the store, the disk, the system's limits, the service and the extension of browsers.
    private mutating func checkMachine(_ knowledge: Knowledge?, process: Int32?) throws(LocalFailure) {
        let accounts = home.meant.map { [$0] } ?? home.standingAccounts
        let options = try call.options()
        for account in accounts {
            let store = StoreState(examining: home.of(account))
            if !store.isTold(by: knowledge?.status.troubles ?? []) {
                try tell(store.finding(options: options))
            }
            let moved = MovedDatabasesState(examining: home.of(account))
            if let finding = moved.finding(options: options) { try tell(finding) }
        }
        if let disk = DiskState(examining: home) { try tell(disk.finding(of: home)) }
        try tell(LimitState(examining: process).finding)
        let service = ServiceState(examining: home, node: process, environment: call.environment)
        try tell(service.finding(of: home))
        let system = SystemExtension()
        if let browser = BrowserState(system, BrowserHost(home, environment: call.environment)) {
            try tell(browser.finding(isInstalled: !system.browsers.isEmpty))
        }
    }
}
