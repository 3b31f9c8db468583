import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton intents`: shows what apps of this machine can do from a terminal.
enum ListIntents {
    static var specification: CommandSpecification {
        CommandSpecification(
            "intents", "Show what apps of this machine can do from a terminal.",
            operands: [.optional("APP")],
            options: [
                .flag("all", "also show intents that are hidden or deprecated"),
                .value("declare", "FILE", "with APP: declare what its program can do (-: standard input)"),
                .flag("forget", "with APP: forget what a removed app has declared"),
            ],
            isOfAccount: false,
            notes: [
                "With APP, shows its intents with all parameters, its types of entities, and the",
                "phrases for `baton do`. APP is an identifier, or a title.", "",
                "An app declares its intents a few seconds after it was started.",
                "`baton run APP INTENT` runs one.", "",
                "--forget also deletes what your machines know about its types of entities.", "",
                "A program in any language declares its intents and entities by `baton app`, or",
                "its installer does so with --declare. FILE has the declaration in JSON:",
                "  {\"program\": [\"/usr/bin/shop\", \"perform\"], \"intents\": […], \"entities\": […]}",
                "It takes the place of all that APP has declared before. Its keys, and how the",
                "program performs an intent: Sources/BatonCommand/BatonCommand.docc/Apps.md, in",
                "the sources or below share/doc/baton where Baton is installed.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let intents = try call.intents()
        let file = call.arguments.value("declare")
        guard let name = call.arguments[0] else {
            guard !call.arguments.has("forget") else {
                throw LocalFailure(.usage, "--forget needs the APP to forget.")
            }
            guard file == nil else {
                throw LocalFailure(
                    .usage, "--declare needs the APP that is declared, in reverse DNS: org.example.shop.")
            }
            return try show(intents, call)
        }
        if let file {
            guard !call.arguments.has("forget") else {
                throw LocalFailure(.usage, "--declare and --forget contradict each other.")
            }
            return try declare(name, from: file, call)
        }
        if call.arguments.has("forget") { return try forget(name, intents, call) }
        let app = try intents.app(named: name)
        try explainMissing([app], call)
        if call.isJSON { return call.console.print(IntentList([app], showsAll: true).json) }
        for line in IntentList.lines(of: app) { call.console.print(line) }
    }

    private static func show(_ intents: InstalledIntents, _ call: Call) throws(LocalFailure) {
        for trouble in intents.troubles { try call.console.explain("Not used: \(trouble.description)") }
        try explainMissing(intents.apps, call)
        let list = IntentList(intents.apps, showsAll: call.arguments.has("all"))
        if call.isJSON { return call.console.print(list.json) }
        guard !list.isEmpty else {
            return call.console.print(
                "No app of this machine has intents. An app with intents is listed once it has been started.")
        }
        call.console.print(list.table)
    }

    /// Says which apps can't be started, for example because they were removed.
    private static func explainMissing(_ apps: [IntentManifest], _ call: Call) throws(LocalFailure) {
        for app in apps {
            do throws(LocalFailure) {
                try app.checkProgram()
            } catch {
                try call.console.explain("\(app.label): \(error.description)")
            }
        }
    }

    private static func declare(
        _ app: String, from file: String, _ call: Call
    ) throws(LocalFailure) {
        let declaration = try ProgramDeclaration(file: file, of: app)
        let (home, manifest) = (try call.home(), declaration.manifest)
        try declaration.store(in: home)
        try manifest.describeTypes(in: home)
        if call.isJSON { return call.console.print(IntentList([manifest], showsAll: true).json) }
        call.say(
            "Declared \(manifest.summary) for \(app).\n`baton intents \(app)` shows what it can do.")
    }

    private static func forget(
        _ name: String, _ intents: InstalledIntents, _ call: Call
    ) throws(LocalFailure) {
        // A damaged manifest is removed by the identifier of its app, because its title is unknown.
        let isDamaged =
            !intents.apps.contains { $0.app == name } && intents.troubles.contains { $0.text.contains(name) }
        let described = try describedTypes(call)
        let app = isDamaged ? name : try intents.joined(with: described ?? []).app(named: name).app
        let isDescribed = described?.contains { $0.name.app.utf8.elementsEqual(app.utf8) } ?? false
        guard try IntentManifestFile.remove(app, in: try call.home()) || isDescribed else {
            throw LocalFailure(.notFound, "\(app) has declared nothing.")
        }
        if isDescribed {
            var node = try call.connect()
            _ = try node.ask(ForgetEntityTypes(of: app))
        }
        call.console.print(
            "Forgot the intents of \(app). If the app is started again, it declares them anew.")
        guard described == nil, intents.apps.contains(where: { $0.app == app && $0.entityTypesCall != nil })
        else { return }
        try call.console.explain(
            "Your other machines may still know its types of entities, because no node runs here. Once one does, type this again."
        )
    }

    /// Returns the types that apps have described to the account; nil if no node can be asked.
    private static func describedTypes(_ call: Call) throws(LocalFailure) -> [EntityTypeDescription]? {
        do throws(LocalFailure) {
            var node = try call.connect()
            return try node.ask(ListEntityTypes()).types
        } catch  where error.lacksNode {
            return nil
        }
    }
}
