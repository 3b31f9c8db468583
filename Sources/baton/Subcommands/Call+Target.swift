import BatonClient
import BatonCommand
import BatonCore

extension Call {
    /// Makes a call about the activity with this name.
    ///
    /// Without a name, it is the activity of this shell.
    func activity<Asked: LocalCall>(
        named name: String?, _ make: (ActivityTarget) -> Asked
    ) throws(LocalFailure) -> ActivitySummary where Asked.Reply == ActivitySummary {
        if let identifier = name {
            guard !identifier.isEmpty else {
                throw LocalFailure(.usage, "The name of the activity is empty.")
            }
            var node = try connect()
            return try node.ask(make(.identifier(identifier)))
        }
        let shell = try ShellInstance.meant(by: arguments.value("instance"))
        var node = try connect()
        do throws(LocalFailure) {
            return try node.ask(make(.instance(app: ShellInstance.app, instance: shell.name)))
        } catch  where error.code == .notFound {
            // If this shell has an activity, the node did not find something else. An example is the device to send it
            // to.
            guard try !node.activities(.withForgotten).contains(where: { $0.isBegun(by: shell) }) else {
                throw error
            }
            let option = try options()
            throw LocalFailure(
                .notFound,
                (arguments.value("instance").map { "No activity has the name \($0)." }
                    ?? "This shell has no activity.")
                    + "\nName one that `baton list\(option)` shows, or start one with `baton start TYPE\(option)`."
            )
        }
    }
}

extension ActivitySummary {
    /// Whether the activity is of the given shell on this machine.
    func isBegun(by shell: ShellInstance) -> Bool {
        device.isHere && app == ShellInstance.app && instance == shell.name
    }
}
