import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton index batch`: applies all changes that a script writes, or none of them.
enum IndexBatch {
    static func run(
        _ call: Call, _ index: ClientStateName, _ node: inout NodeConnection
    ) throws(LocalFailure) {
        var lines = InputLines()
        // Without a manifest that can be read, items that are entities are refused, and all others are indexed.
        let declared = try? IntentManifestFile.read(index.app, in: try call.home())
        try declared?.describeTypes(in: try call.home())
        var batch = BatchLines(index, declared: declared)
        var passedOver = 0
        while let line = try lines.next() {
            if let changes = try batch.receiveLine(line, at: .here) {
                passedOver += try node.ask(changes).passedOver
            }
        }
        let (changes, end) = try batch.finish()
        if let changes { passedOver += try node.ask(changes).passedOver }
        passedOver += try node.ask(end).passedOver
        if call.isJSON {
            call.console.print(.object([.init("passedOver", .integer(Int64(passedOver)))]))
        } else {
            call.say("The whole batch is in the index.")
            if passedOver > 0 {
                let count = HumanTime.count(Int64(passedOver), "update")
                call.say("\(count) changed nothing, because there is no such item.")
            }
        }
    }
}
