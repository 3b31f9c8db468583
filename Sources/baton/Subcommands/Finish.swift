import BatonCommand
import BatonCore

/// `baton finish`: ends an activity of this machine.
enum Finish {
    static var specification: CommandSpecification {
        CommandSpecification(
            "finish", "End the activity of this shell, or another of this machine.",
            operands: [.optional("ID")],
            options: [.value("instance", "NAME", "end the activity that was started under that name")])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let summary = try call.activity(named: call.arguments[0]) { FinishActivity($0) }
        call.print(summary, "Finished \(summary.label) (\(summary.short)).")
    }
}
