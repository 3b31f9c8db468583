import BatonClient
import BatonCore

/// `baton handlers`: what continues which activities, and where that is said.
enum Handlers {
    static var specification: CommandSpecification {
        CommandSpecification(
            "handlers", "Show what `baton continue` starts, and check the file that says so.",
            options: [HandlerOptions.file], isOfAccount: false,
            notes: [
                "The file is ~/.config/baton/config.json5 (or in XDG_CONFIG_HOME), in JSON5:",
                "  {",
                "    handlers: {",
                "      \"org.example.editor\": {",
                "        run: [\"vim\", \"+{line?}\", \"{file}\"], paths: [\"file\"],",
                "      },",
                "      \"org.example.*\": { as: \"org.baton.file\" },  // as one that it knows",
                "      \"org.baton.web\": false,  // nothing continues it",
                "    },",
                "    schemes: [\"https\"],  // of what may be opened",
                "  }",
                "{file} is an entry of the activity's --info; {title}, {webpage}, {type},",
                "{device} and {id} are its own. An argument with a {line?} that is missing",
                "is left out.",
                "No shell reads any of it, and no value becomes an option. `paths` are entries",
                "that must be there: /… or ~/…. Exit status: 2 if the file is not understood.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let (registry, file, isThere) = try call.handlers()
        let list = HandlerList(registry)
        if call.isJSON { return call.console.print(list.json(file: file?.path, isThere: isThere)) }
        call.console.print(list.table)
        call.console.print(list.schemes)
        if let file {
            call.console.print(
                isThere ? "The file: \(file.path)" : "The file \(file.path) is not there, and need not be.")
        }
    }
}

/// What the commands that look at handlers have in common.
enum HandlerOptions {
    static var file: CommandSpecification.Option {
        .value("config", "FILE", "the file with your handlers (or set BATON_CONFIG)")
    }
}

extension Call {
    /// What is in force, the file that was looked for, and whether that is there.
    func handlers() throws(LocalFailure) -> (
        registry: HandlerRegistry, file: ConfigurationFile?, isThere: Bool
    ) {
        let file = ConfigurationFile(option: arguments.value("config"), environment: environment)
        let configuration = try file?.read()
        return (HandlerRegistry(configuration), file, configuration != nil)
    }
}
