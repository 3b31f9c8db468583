import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton app`: exchanges lines of JSON with a program in any language, which thus becomes an app.
enum App {
    static var specification: CommandSpecification {
        CommandSpecification(
            "app", "Let a program in any language take part, in lines of JSON.",
            operands: [.required("APP")],
            options: [
                .value("instance", "NAME", "the window or document of the app (its process, if left out)"),
                .flag("lint", "give advice as events, each thing once"),
            ],
            notes: [
                "APP is named in reverse DNS, such as org.example.notes. The program starts",
                "`baton app` and writes one command a line to its standard input:",
                "  {\"become\": {\"type\": \"org.example.editing\", \"title\": \"Draft\"}}",
                "  {\"update\": {\"info\": {\"line\": 42}}}    {\"finish\": true}",
                "  {\"handle\": [\"org.example.*\"]}    {\"watch\": true}    {\"search\": \"draft\"}",
                "  {\"declare\": {\"program\": [\"/usr/bin/notes\"], \"intents\": […], \"entities\": […]}}",
                "It reads answers, which carry the command's \"id\", and events, such as",
                "  {\"event\": \"save\", \"number\": 1, …}, answered by {\"saved\": 1}",
                "The activity ends with the program. When the node restarts, it is told again.",
                "All commands and events: Sources/BatonCommand/BatonCommand.docc/Apps.md, in the",
                "sources or below share/doc/baton where Baton is installed.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let app = call.arguments[0] ?? ""
        guard !app.isEmpty else { throw LocalFailure(.usage, "The name of the app is empty.") }
        let instance = try ShellInstance.meant(by: call.arguments.value("instance"), kind: "app").name
        let home = try call.home()
        // A manifest that can't be read is replaced by the next declaration.
        let declared = try? IntentManifestFile.read(app, in: home)
        var session = AppSession(
            home,
            AppBridge(
                app: app, instance: instance, isAdvised: call.arguments.has("lint"), declared: declared,
                declaring: { (declaration) throws(LocalFailure) in try declaration.store(in: home) }),
            input: 0
        ) { (line) throws(LocalFailure) in
            call.console.print(line)
            try call.console.flush()
        }
        try session.run()
    }
}
