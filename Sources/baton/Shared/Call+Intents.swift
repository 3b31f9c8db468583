import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

extension Call {
    /// The intents and entities that the apps of this machine have declared.
    func intents() throws(LocalFailure) -> InstalledIntents { InstalledIntents(in: try home()) }

    /// Returns the type of entities that a person named.
    ///
    /// The manifests of this machine come first. The node is asked for what the account knows if they don't have the
    /// type, or lack attributes of its properties.
    func entityType(named name: String) throws(LocalFailure) -> InstalledIntents.EntityType {
        let (here, app) = (try intents(), arguments.value("app"))
        if let type = try here.whollyKnownType(named: name, of: app) { return type }
        var node = try connect()
        return try here.joined(with: try node.ask(ListEntityTypes()).types).entityType(named: name, of: app)
    }

    /// Sets environment variables by which the program that replaces this process uses the same home and account.
    func passHomeOn() throws(LocalFailure) {
        let home = try home().absolute(environment: environment)
        if home.isNamed { Environment.set("BATON_HOME", home.data) }
        if let account = home.meant { Environment.set("BATON_ACCOUNT", account.text) }
    }

    /// Replaces this process with an app that runs an intent, in this terminal.
    ///
    /// Before a guessed intent, the app may ask the person whether it is the right one.
    func run(
        _ intent: String, _ values: [String], in app: IntentManifest, isGuessed: Bool = false
    ) throws(LocalFailure) {
        try app.checkProgram()
        try passHomeOn()
        Environment.set("BATON_APP", app.app)
        if app.speaksLines { return try runInLines(intent, values, of: app) }
        let options =
            (isJSON ? ["--json"] : []) + (isGuessed ? ["--guessed"] : [])
            + onScreen(for: intent, values, in: app).flatMap { ["--on-screen", $0] }
        try console.flush()
        try start(app.command(options + [intent] + values))
    }

    /// Has a program perform an intent in lines of JSON, and prints the result.
    private func runInLines(
        _ name: String, _ values: [String], of app: IntentManifest
    ) throws(LocalFailure) {
        let intent = try InstalledIntents.intent(named: name, of: app)
        if values == ["--help"], intent.parameter(named: "help") == nil {
            for line in IntentList.lines(about: intent, in: app) { console.print(line) }
            return
        }
        let home = try home()
        let entities = IndexedEntities(of: app) { (query) throws(LocalFailure) in
            var node = try NodeConnection(home, within: Self.indexPatience)
            return try node.ask(query, within: Self.indexPatience)
        }
        var ask: ProgramIntentRun.Ask?
        if console.canShowProgress, let prompt = TerminalPrompt.ifPresent() {
            ask = { (question) throws(LocalFailure) in try question.answer(at: prompt) }
        }
        var run = try ProgramIntentRun(
            intent, values, in: app, at: .here, finding: entities, console: console, isJSON: isJSON, ask: ask)
        try run.run()
    }

    /// The longest time that an intent waits for the node to find an entity.
    private static var indexPatience: Duration { .seconds(1) }

    /// Returns the entities on the person's screens that fit an open parameter of the intent, the latest first.
    ///
    /// They only come first in a list of choices, so the intent runs without them if the node does not answer at once.
    private func onScreen(for intent: String, _ values: [String], in app: IntentManifest) -> [String] {
        let given = Set(values.map { String($0.drop { $0 == "-" }.prefix { $0 != "=" }) })
        let wanted = app.intent(named: intent)?.parameters.filter { !given.contains($0.name) } ?? []
        let types = Set(wanted.compactMap { $0.type.kind == .entity ? $0.type.name : nil })
        guard !types.isEmpty else { return [] }
        do throws(LocalFailure) {
            var node = try NodeConnection(try home(), within: Self.screenPatience)
            let activities = try node.ask(ListActivities(), within: Self.screenPatience).activities
            return activities.filter { $0.app.utf8.elementsEqual(app.app.utf8) && !$0.isForgotten }
                .compactMap(\.activity.namedEntity).filter { types.contains($0.type) }.map {
                    "\($0.type)/\($0.identifier)"
                }
        } catch {
            return []
        }
    }

    /// The longest time that an intent waits for the node to say what is on the person's screens.
    private static var screenPatience: Duration { .milliseconds(200) }
}

extension IntentManifest {
    /// Throws if the app's program is gone, for example because the app was removed.
    func checkProgram() throws(LocalFailure) {
        do throws(LocalFailure) { try ProgramStart.check(program, path: "") } catch {
            throw LocalFailure(error.code, "\(error.text)\n\(removalAdvice)")
        }
    }
}
