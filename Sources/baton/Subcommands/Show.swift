import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton show`: shows everything that is known about one activity, without continuing it.
enum Show {
    static var specification: CommandSpecification {
        CommandSpecification(
            "show", "Show all that is known of one activity, without continuing it.",
            operands: [.optional("ID|TYPE|TITLE")],
            options: [
                .flag("entity", "show which entities are on the screens of your machines"),
                HandlerOptions.file,
            ],
            notes: [
                "It shows the last replicated state. The line `continue` says what",
                "`baton continue` would do here. Exit status: 11 if there is no such activity.", "",
                "With --entity, shows the entities of apps that current activities are about, or",
                "only those of a type: baton show --entity Note",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        if call.arguments.has("entity") { return try ShowEntities.run(call) }
        guard let name = call.arguments[0] else {
            throw LocalFailure(.usage, "Missing argument: ID|TYPE|TITLE.\nUsage: \(specification.usage)")
        }
        guard !name.isEmpty else {
            throw LocalFailure(.usage, "The name of the activity is empty.")
        }
        let configuration = try call.configuration()
        var node = try call.connect()
        let registry = try call.registry(configuration, &node)
        let summary = try call.activity(name, at: &node)
        var (plan, trouble): (HandlerPlan?, LocalFailure?)
        do throws(LocalFailure) {
            plan = try registry.plan(summary, environment: call.environment)
        } catch {
            trouble = error
        }
        if call.isJSON {
            let handler = HandlerPlanText.json(plan, trouble: trouble)
            return call.console.print(
                .object([.init("activity", JSON(summary)), .init("handler", handler)]))
        }
        for line in ActivityText(summary).lines(at: .here) { call.console.print(line) }
        if let trouble {
            let lines = trouble.text.split(separator: "\n").map { VisibleText($0) }
            call.console.print("continue: not possible: " + lines.joined(" "))
        } else if let plan {
            let source = plan.handler.source.text
            switch plan.step {
            case .run(let words):
                let command = words.map { ShellWord.quoted($0) }.joined(separator: " ")
                call.console.print(exactly: "continue: \(command) (\(source))")
            case .go(let place):
                call.console.print(exactly: "continue: cd \(ShellWord.quoted(place.path)) (\(source))")
            case .paste: call.console.print("continue: baton paste (\(source))")
            case .hand(let app): call.console.print("continue: in \(app.label) (\(source))")
            case .start(let app):
                call.console.print("continue: in \(app.label), which is started (\(source))")
            }
        } else {
            call.console.print("continue: no handler here")
        }
    }
}

extension Call {
    /// Finds an activity by its name.
    ///
    /// The current activities, including hidden ones, are searched first, and then those that have ended.
    func activity(
        _ name: String, at node: inout NodeConnection
    ) throws(LocalFailure) -> ActivitySummary {
        do throws(LocalFailure) {
            return try node.activities(.withForgotten).named(name, at: LocalClock.now)
        } catch  where error.code == .notFound {
            let missing = error
            do throws(LocalFailure) {
                return try node.activities(.finished).named(name, at: LocalClock.now)
            } catch  where error.code == .notFound {
                // The first failure is thrown, because its advice mentions the current activities.
                throw missing
            }
        }
    }
}
