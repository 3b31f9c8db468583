import BatonCommand
import BatonCore
import BatonTerminal

/// `baton help`: explains all of `baton`, or one subcommand.
enum Help {
    static var specification: CommandSpecification {
        CommandSpecification(
            "help", "Explain baton, or one of its commands.", operands: [.optional("COMMAND")],
            isOfAccount: false)
    }

    static func run(_ call: Call) throws(LocalFailure) {
        guard let name = call.arguments[0] else { return call.console.print(call.parser.overview) }
        call.console.print(try call.parser.command(name).help)
    }
}
