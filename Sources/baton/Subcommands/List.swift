import BatonClient
import BatonCore

/// `baton list`: the activities that are going on, on all devices.
enum List {
    static var specification: CommandSpecification {
        CommandSpecification("list", "List what is going on, on all your machines.")
    }

    static func run(_ call: Call) throws(LocalFailure) {
        var node = try call.connect()
        let summaries = try node.activities()
        if call.isJSON {
            call.console.print(.object([.init("activities", .array(summaries.map { JSON($0) }))]))
        } else if summaries.isEmpty {
            let option = try call.options()
            call.console.print("Nothing is going on. Begin with `baton start TYPE --title TEXT\(option)`.")
        } else {
            call.console.print(ActivityList(summaries).table(at: .here))
        }
    }
}
