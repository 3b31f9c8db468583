import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton show --entity`: shows which entities are on the screens of the person's machines.
enum ShowEntities {
    static func run(_ call: Call) throws(LocalFailure) {
        let type = try call.arguments[0].map { (name) throws(LocalFailure) in
            try call.intents().entityTypeName(for: name)
        }
        var node = try call.connect()
        let list = ShownEntityList(try node.activities(), ofType: type)
        if call.isJSON { return call.console.print(list.json) }
        guard !list.isEmpty else {
            return call.console.print(
                type.map { "No \($0) is on a screen of your machines." }
                    ?? "No app says which of its entities is on a screen of your machines.")
        }
        call.console.print(list.table(at: .here))
    }
}
