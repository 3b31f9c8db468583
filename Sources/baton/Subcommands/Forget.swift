import BatonClient
import BatonCore

/// `baton forget`: shows an activity here no more, or deletes it everywhere.
enum Forget {
    static var specification: CommandSpecification {
        CommandSpecification(
            "forget", "Show an activity here no more, or delete it on all your machines.",
            operands: [.required("ID")],
            options: [.flag("everywhere", "delete it on all machines; where it goes on, it ends")],
            notes: [
                "What is forgotten here goes on where it is, and `baton list --all` shows it. It",
                "is offered here again once its app begins something else.",
                "Exit status: 11 if there is no such activity.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        guard let name = call.arguments[0], !name.isEmpty else {
            throw LocalFailure(.usage, "The name of the activity is empty.")
        }
        let everywhere = call.arguments.has("everywhere")
        var node = try call.connect()
        let summary = try node.forget(name, everywhere: everywhere)
        if call.isJSON {
            return call.console.print(
                .object([.init("activity", JSON(summary)), .init("everywhere", .boolean(everywhere))]))
        }
        call.console.print(
            everywhere
                ? "\(summary.label) (\(summary.short)) is deleted, on all your machines."
                : "\(summary.label) (\(summary.short)) is offered here no more.")
    }
}
