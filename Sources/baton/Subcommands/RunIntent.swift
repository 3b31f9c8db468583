import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton run`: has an app perform an intent in this terminal.
enum RunIntent {
    static var specification: CommandSpecification {
        CommandSpecification(
            "run", "Have an app perform an intent, in this terminal.",
            operands: [.required("APP"), .required("INTENT"), .anyNumber("ARGUMENT")], ownOperands: 2,
            notes: [
                "The app starts in this terminal, with the words after INTENT. Type values as",
                "--parameter value or --parameter=value. `--json` prints the result as JSON.",
                "Options of baton itself, such as --home, come before APP.", "",
                "A program that has declared its intents by `baton app` gets the values in lines",
                "of JSON instead, and baton asks for what is missing. --NAME and --no-NAME stand",
                "for yes and no, and --no-NAME for no value of any other parameter.", "",
                "If the app can ask you, it asks for missing values. In a pipe it fails and names",
                "them. `baton intents APP` shows the parameters.",
                "Exit status: that of the app; 11 if there is no such app or intent.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        guard let name = call.arguments[0], let intentName = call.arguments[1] else { return }
        let app = try call.intents().app(named: name)
        let intent = try InstalledIntents.intent(named: intentName, of: app)
        if let deprecation = intent.deprecation {
            let instead = intent.replacement.map { " Use \($0) instead." } ?? ""
            try call.console.explain("\(intent.name) is deprecated: \(deprecation)\(instead)")
        }
        try call.run(intent.name, Array(call.arguments.operands.dropFirst(2)), in: app)
    }
}
