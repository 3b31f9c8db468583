import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton start`: starts an activity, which usually is that of this shell.
enum Start {
    static var specification: CommandSpecification {
        CommandSpecification(
            "start", "Start an activity that you can continue on your other machines.",
            operands: [.required("TYPE|PATH|URL")],
            options: ActivityOptions.options + [
                .value("instance", "NAME", "start it under this name, not for this shell"),
                .flag("protected", "seal what it is about, on the disk and on the way"),
                StreamStart.option,
            ],
            notes: [
                "TYPE says what kind of thing you do, in reverse DNS: org.example.editing.",
                "A folder, a file (with a line and a column, if you like) or an address sets the",
                "type, the title and all that is needed to go there on another machine:",
                "  baton start .",
                "  baton start notes.md:42",
                "  baton start https://example.org/",
                "A name without a slash is a file if it has a dot or a line, and exists here;",
                "otherwise it is a type, which has no colon.",
            ]
                + ActivityOptions.notes
                + [
                    "The activity lasts until `baton finish`, its expiry, or the end of this shell;",
                    "with --instance until finish or expiry. A shell has one activity at a time.",
                    "Once it has ended, `baton search` finds it. A file or folder is one thing there",
                    "and in suggestions, whatever the line; the last line is opened.",
                    "With --protected only its type and its times can be read without the key that",
                    "your machines have, and `baton search` does not find it by its words.",
                ] + StreamStart.notes)
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let arguments = call.arguments
        let paths = PortablePaths(environment: call.environment)
        let place = try StartedPlace(arguments[0] ?? "", in: paths)
        let type: String
        if let place { type = place.type.rawValue } else { type = try Self.type(arguments) }
        var change = try ActivityOptions.change(call, of: type)
        // The person started the activity. So they may search for it later, and want it to be suggested.
        change.eligibility = [.handoff, .search, .prediction]
        if arguments.has("protected") { change.isProtected = true }
        if let place { try add(place, to: &change) }
        if arguments.has("stream") { return try StreamStart.run(call, type, change) }
        let shell = try ShellInstance.meant(by: arguments.value("instance"))
        let start = StartActivity(
            app: ShellInstance.app, instance: shell.name,
            lifetime: shell.process.map { .process($0) } ?? .untilFinished, type: type,
            change: change)
        var node = try call.connect()
        // A locked node must not even see the content, because that would stay in its memory.
        if arguments.has("protected") { _ = try node.ask(DemandUnlocked()) }
        let summary = try node.ask(start)
        call.print(summary, "Started \(summary.label) (\(summary.short)).")
        if place == nil, type.split(separator: ".").count == 2, !call.isJSON {
            call.console.print(
                "There is no file \(VisibleText(type)) here, so this is the type of the activity.")
        }
    }
}

extension Start {
    /// The type that the first operand names.
    ///
    /// An operand with a colon is refused, because the person meant a line of a file, or an address.
    private static func type(_ arguments: Arguments) throws(LocalFailure) -> String {
        let type = try ActivityOptions.type(arguments)
        guard !type.contains(":") else {
            throw LocalFailure(
                .notFound,
                "There is no file \(VisibleText(type).text) here, and it is not an address.\n"
                    + "Lines count from 1. A type of activity, such as org.example.editing, has no colon.")
        }
        return type
    }
}

extension Start {
    /// Adds the payload, the title and the web page of a place to a change.
    ///
    /// A title from the options is kept.
    private static func add(_ place: StartedPlace, to change: inout ActivityChange) throws(LocalFailure) {
        change.persistentIdentifier = place.identifier(titled: change.title)
        change.title = change.title ?? place.title
        for (key, value) in place.info {
            guard change.set.updateValue(value, forKey: key) == nil else {
                throw LocalFailure(.usage, "\(key.string ?? "--info") is given twice. Give it one value.")
            }
        }
        guard let page = place.webpage else { return }
        guard change.webpage == nil else {
            throw LocalFailure(.usage, "There are two addresses. Leave out --url.")
        }
        change.webpage = page
    }
}

extension Call {
    /// Prints a sentence after an activity was changed.
    ///
    /// With `--json`, the activity is printed instead.
    func print(_ summary: ActivitySummary, _ text: VisibleText) {
        if isJSON {
            console.print(.object([.init("activity", JSON(summary))]))
        } else {
            console.print(text)
        }
    }
}
