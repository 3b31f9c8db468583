import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton handlers`: lists the handlers, and where each comes from.
enum Handlers {
    static var specification: CommandSpecification {
        CommandSpecification(
            "handlers", "Show what `baton continue` starts, and check your configuration file.",
            options: [HandlerOptions.file],
            notes: [
                "The file is ~/.config/baton/config.json5 (or in XDG_CONFIG_HOME), in JSON5:",
                "  {",
                "    handlers: {",
                "      \"org.example.editor\": {",
                "        run: [\"vim\", \"+{line?}\", \"{file}\"], paths: [\"file\"],",
                "      },",
                "      \"org.example.*\": { as: \"org.baton.file\" },  // like this type",
                "      \"org.baton.web\": false,  // no handler",
                "    },",
                "    schemes: [\"https\"],  // addresses that may be opened",
                "  }",
                "{file} is a value of the activity's --info; {title}, {webpage}, {type}, {device}",
                "and {id} are known of every activity. An argument with {line?} is left out if",
                "the activity has no such value.",
                "A running app that registered for a type gets it, unless the file has a handler",
                "for it other than `*`. An app that is not running is started if it has a",
                "manifest: apps/ID.json in the data folder, ~/.local/share/baton.",
                "No shell reads the command, and no value becomes an option. `paths` lists values",
                "that must be existing paths: /… or ~/…. Exit status: 2 if the file has an error.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let (configuration, file) = (try call.configuration(), call.configurationFile)
        var (apps, trouble): ([AppRegistration], LocalFailure?) = ([], nil)
        var (manifests, faulty): ([AppManifest], [LocalFailure]) = ([], [])
        do throws(LocalFailure) {
            (manifests, faulty) = AppManifest.readAll(in: try call.home())
            var node = try call.connect()
            apps = try node.ask(ListRegistrations()).registrations
        } catch {
            trouble = error
        }
        let list = HandlerList(HandlerRegistry(configuration, apps: apps, manifests: manifests))
        let isThere = configuration != nil
        if call.isJSON {
            return call.console.print(list.json(file: file?.path, isThere: isThere, node: trouble))
        }
        call.console.print(list.table)
        call.console.print(list.schemes)
        if let file {
            call.console.print(
                isThere ? "The file: \(file.path)" : "The file \(file.path) does not exist. It is optional.")
        }
        for trouble in faulty { call.console.print("Not used: \(trouble.description)") }
        if let trouble {
            call.console.print("Running apps are not known: \(trouble.description)")
        }
    }
}

/// The option that all commands with handlers have.
enum HandlerOptions {
    static var file: CommandSpecification.Option {
        .value("config", "FILE", "the configuration file (or set BATON_CONFIG)")
    }
}

extension Call {
    /// The configuration file of the person, which may be missing; nil if there is no folder for it.
    var configurationFile: ConfigurationFile? {
        ConfigurationFile(option: arguments.value("config"), environment: environment)
    }

    /// The option `--config`, as arguments for another program.
    var fileArguments: [String] { arguments.value("config").map { ["--config", $0] } ?? [] }

    /// The contents of the configuration file, or nil if the file does not exist.
    func configuration() throws(LocalFailure) -> Configuration? { try configurationFile?.read() }
}
