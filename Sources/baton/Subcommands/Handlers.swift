import BatonClient
import BatonCore

/// `baton handlers`: what continues which activities, and where that is said.
enum Handlers {
    static var specification: CommandSpecification {
        CommandSpecification(
            "handlers", "Show what `baton continue` starts, and check the file that says so.",
            options: [HandlerOptions.file],
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
                "An app that is there and registered for a type gets it, unless the file says",
                "anything but `*` of it.",
                "No shell reads any of it, and no value becomes an option. `paths` are entries",
                "that must be there: /… or ~/…. Exit status: 2 if the file is not understood.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let (configuration, file) = (try call.configuration(), call.configurationFile)
        var (apps, trouble): ([AppRegistration], LocalFailure?) = ([], nil)
        do throws(LocalFailure) {
            var node = try call.connect()
            apps = try node.ask(ListRegistrations()).registrations
        } catch {
            trouble = error
        }
        let list = HandlerList(HandlerRegistry(configuration, apps: apps))
        let isThere = configuration != nil
        if call.isJSON {
            return call.console.print(list.json(file: file?.path, isThere: isThere, node: trouble))
        }
        call.console.print(list.table)
        call.console.print(list.schemes)
        if let file {
            call.console.print(
                isThere ? "The file: \(file.path)" : "The file \(file.path) is not there, and need not be.")
        }
        if let trouble {
            call.console.print("Apps that are there are not known: \(trouble.description)")
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
    /// The file with the person's handlers, which need not be there.
    var configurationFile: ConfigurationFile? {
        ConfigurationFile(option: arguments.value("config"), environment: environment)
    }

    /// What the person's file says; nothing if it is not there.
    func configuration() throws(LocalFailure) -> Configuration? { try configurationFile?.read() }
}
