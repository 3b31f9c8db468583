import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton forget`: hides activities on this machine, or deletes them on all machines.
enum Forget {
    static var specification: CommandSpecification {
        CommandSpecification(
            "forget", "Hide activities on this machine, or delete them on all your machines.",
            operands: [.repeated("ID")],
            options: [
                .flag("everywhere", "delete them on all machines, and end those that are going on"),
                .flag("undo", "show them here again"),
            ],
            notes: [
                "A hidden activity goes on elsewhere, and `baton list --all` shows it. It is",
                "shown here again with --undo, or when its app starts something else. A deleted",
                "one does not come back.",
                "Exit status: 11 if an activity does not exist; the others are done.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let names = call.arguments.operands
        guard !names.contains("") else {
            throw LocalFailure(.usage, "The name of the activity is empty.")
        }
        let (everywhere, undoes) = (call.arguments.has("everywhere"), call.arguments.has("undo"))
        guard !everywhere || !undoes else {
            throw LocalFailure(
                .usage, "A deleted activity can't be brought back. Leave out --everywhere.")
        }
        var node = try call.connect()
        var (done, failures): ([ActivitySummary], [LocalFailure]) = ([], [])
        for name in names {
            do throws(LocalFailure) {
                let summary =
                    undoes
                    ? try node.ask(UnforgetActivity(name))
                    : try node.ask(ForgetActivity(name, everywhere: everywhere))
                done.append(summary)
                if !call.isJSON { try tell(summary, call) }
            } catch  where error.code == .notFound {
                failures.append(error)
            }
        }
        if call.isJSON {
            call.console.print(
                .object([
                    .init("activities", .array(done.map { JSON($0) })),
                    .init("everywhere", .boolean(everywhere)),
                ]))
        }
        guard let last = failures.popLast() else { return }
        try call.console.flush()
        for failure in failures { call.console.report(failure) }
        throw last
    }

    private static func tell(_ summary: ActivitySummary, _ call: Call) throws(LocalFailure) {
        let named: VisibleText = "\(summary.label) (\(summary.short))"
        let option = try call.options()
        call.console.print(
            call.arguments.has("everywhere")
                ? "\(named) is deleted on all your machines."
                : call.arguments.has("undo")
                    ? "\(named) is shown on this machine again."
                    : "\(named) is hidden on this machine. To undo: baton forget --undo \(summary.short)\(option)"
        )
    }
}
