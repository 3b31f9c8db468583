import BatonClient
import BatonCore

/// `baton continue`: goes on here with what was begun on another machine.
enum Continue {
    static var specification: CommandSpecification {
        CommandSpecification(
            "continue", "Go on here with what you began on another machine.",
            operands: [.optional("ID|TYPE")],
            options: [.flag("last", "the one that another machine changed last; also if nothing is named")])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let named = call.arguments[0]
        guard named != "" else { throw LocalFailure(.usage, "The name of the activity is empty.") }
        guard named == nil || !call.arguments.has("last") else {
            throw LocalFailure(.usage, "Name an activity or say --last, not both.")
        }
        var node = try call.connect()
        let watch = Stopwatch()
        let continued = try node.continue(named.map { .named($0) } ?? .last)
        let duration = watch.elapsed
        if call.isJSON {
            call.console.print(JSON(continued, took: duration))
        } else {
            for line in ContinuedText(continued, took: duration).lines(at: .here) { call.console.print(line) }
        }
    }
}
