import BatonClient
import BatonCommand
import BatonCore

/// `baton update`: changes an activity of this machine.
enum Update {
    static var specification: CommandSpecification {
        CommandSpecification(
            "update", "Change the activity of this shell, or another of this machine.",
            operands: [.optional("ID")],
            options: ActivityOptions.options + [
                .value("remove-info", "KEY", "remove one value", repeats: true),
                .value("instance", "NAME", "change the activity that was started under that name"),
            ],
            notes: ["All else stays as it is. --keyword replaces all keywords."]
                + ActivityOptions.notes)
    }

    static func run(_ call: Call) throws(LocalFailure) {
        var change = try ActivityOptions.change(call, of: try type(call))
        change.removed = Set(call.arguments.values("remove-info").map { .string($0) })
        guard change != ActivityChange() else {
            throw LocalFailure(
                .usage,
                "Nothing to change was given: use --title, --info or another option.\nSee `baton help update`."
            )
        }
        try demandUnlocked(call)
        let summary = try call.activity(named: call.arguments[0]) { UpdateActivity($0, change) }
        call.print(summary, "Updated \(summary.label) (\(summary.short)).")
    }

    /// Throws if the activity is protected and its machine is locked.
    ///
    /// A locked node must not even see the change, because it would stay in its memory.
    private static func demandUnlocked(_ call: Call) throws(LocalFailure) {
        var node = try call.connect()
        do throws(LocalFailure) {
            _ = try node.ask(DemandUnlocked())
        } catch {
            let isProtected = try activity(call, &node)?.protection != nil
            if error.code != .locked || isProtected { throw error }
        }
    }

    /// The type of the activity, or nil if it is not needed or not found.
    ///
    /// It is needed only if a value may be a path. Otherwise, the node is not asked.
    private static func type(_ call: Call) throws(LocalFailure) -> String? {
        let mayBePath = call.arguments.values("info").contains { text in
            PortablePaths.keys.contains { text.hasPrefix($0 + "=") }
        }
        guard mayBePath else { return nil }
        var node = try call.connect()
        return try activity(call, &node)?.type
    }

    /// The activity that is to be changed, as the node tells it; nil if it is not found.
    private static func activity(_ call: Call, _ node: inout NodeConnection) throws(LocalFailure) -> Activity?
    {
        let own = try node.activities(.withForgotten).filter(\.device.isHere)
        if let name = call.arguments[0] {
            let found = own.filter { $0.identifier.hasPrefix(name.lowercased()) }
            return found.count == 1 ? found[0].activity : nil
        }
        let shell = try ShellInstance.meant(by: call.arguments.value("instance"))
        return own.first { $0.isBegun(by: shell) }?.activity
    }
}
