import BatonClient
import BatonCore

/// `baton search`: finds what apps have indexed, on all devices.
enum Search {
    static var specification: CommandSpecification {
        CommandSpecification(
            "search", "Search what your apps have indexed, on all your machines.",
            operands: [.repeated("WORD")],
            options: [.value("limit", "NUMBER", "how many items to show at the most (20)")],
            notes: [
                "Finds what has all the words, whatever their case and accents; the last may be",
                "the beginning of one. What has them in its title comes first.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let most = try limit(call.arguments)
        var node = try call.connect()
        let found = try node.search(call.arguments.operands.joined(separator: " "), most: most)
        if call.isJSON {
            return call.console.print(
                .object([
                    .init("items", .array(found.items.map { JSON($0) })),
                    .init("complete", .boolean(found.isWhole)),
                ]))
        }
        if found.items.isEmpty {
            call.console.print("Nothing was found.")
        } else {
            call.console.print(FoundList(found.items).table(at: .here))
        }
        if !found.isWhole {
            call.console.print("The node still gathers the words of all items; later there may be more.")
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
