import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton find`: finds entities of apps by their properties, on all devices.
enum FindEntities {
    static var specification: CommandSpecification {
        CommandSpecification(
            "find", "Find an app's notes, books, or other entities by their properties.",
            operands: [.required("ENTITY")],
            options: [
                .value("where", "CONDITION", "only those that meet it, such as 'rating > 3'"),
                .value("sort", "PROPERTY", "sort by this; -PROPERTY sorts downwards", repeats: true),
                .value("limit", "NUMBER", "show at most this many (20)"),
                .value("app", "APP", "the app, if several have entities of that name"),
            ],
            notes: [
                "ENTITY is the name of a type that an app has on any of your machines, such as",
                "those that `baton intents APP` shows. The index of this machine answers, which",
                "has what apps indexed on all your machines. The app need not be here.", "",
                "A condition compares properties with texts in quotes, numbers and dates:",
                "  baton find Book --where 'rating > 3 && genre == \"jazz\"' --sort -date --limit 5",
                "It is in the language of `baton search --query`, with `true`, `false` and `nil`.",
                "A date is a text, such as \"2026-11-20\", or $time.today(-7). Without --sort, what",
                "was indexed last comes first.", "",
                "`baton open ENTITY ID` opens one.",
                "Exit status: 2 for a malformed condition; 11 if there is no such type.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let arguments = call.arguments
        guard let name = arguments[0] else { return }
        let type = try call.entityType(named: name)
        let present = PresentTime.here
        let search = try EntitySearch(
            of: type, where: arguments.value("where"), sortedBy: arguments.values("sort"),
            most: try limit(arguments), at: present)
        var node = try call.connect()
        let reply = try node.ask(search.call(at: present))
        let list = search.found(reply)
        if call.isJSON { return call.console.print(EntityList(list).json(isWhole: reply.isWhole)) }
        if list.isEmpty {
            call.console.print("Nothing found.")
        } else {
            call.console.print(EntityList(list).table(at: present))
        }
        if !reply.isWhole {
            call.console.print(
                "Not all items were searched: the node is still indexing, or the condition takes too long.")
        }
    }

    private static func limit(_ arguments: Arguments) throws(LocalFailure) -> Int {
        guard let text = arguments.value("limit") else { return 20 }
        guard let number = Int(text), (1...Limits.foundItems).contains(number) else {
            throw LocalFailure(.usage, "--limit takes a number from 1 to \(Limits.foundItems).")
        }
        return number
    }
}
