import BatonCommand
import BatonCore
import BatonTerminal

/// `baton shell`: connects a shell to the node, so that the person can continue on another machine what they do in it.
enum FollowShell {
    static var specification: CommandSpecification {
        CommandSpecification(
            "shell", "Let your shell hand on its folder and its command by itself.",
            operands: [.optional("bash|zsh|fish")],
            options: [
                .flag("segment", "print the word for your prompt: `private`, or nothing"),
                .flag("remove", "remove all that was kept for shells"),
                .value("explain", "COMMAND", "say what would be told of a command in this folder"),
                .value("follow", "PID", "follow a shell, which the script does for you"),
                HandlerOptions.file,
            ],
            notes: [
                "Put one line into your shell's file:",
                "  ~/.bashrc                    eval \"$(baton shell bash)\"",
                "  ~/.zshrc                     eval \"$(baton shell zsh)\"",
                "  ~/.config/fish/config.fish   baton shell fish | source",
                "From then on your other machines see where each shell is: its folder, the",
                "repository and branch, and a command that runs for more than 5 seconds. And",
                "`baton continue` goes there in the shell where you type it: to the same path,",
                "or to this machine's own clone of the repository.", "",
                "The shell starts no program at its prompt and waits for nothing; one helper",
                "beside each shell does the work. It tells the program of a command and the",
                "plain words behind it, up to the first option, assignment, quotation, expansion,",
                "redirection, pipe, or word that looks random; an ellipsis stands for the rest.",
                "This says how much of one it would tell:",
                "  baton shell --explain 'docker login -p geheim'",
                "Folders and commands that look like secrets are never told, and neither is a",
                "command that begins with a space. `shell` in the configuration file has the",
                "patterns, and the programs and folders whose commands are told whole.", "",
                "Where this machine is kept private, the variable BATON_SEGMENT says so, for",
                "your prompt:",
                "  PS1='${BATON_SEGMENT:+[$BATON_SEGMENT] }'\"$PS1\"", "",
                "Ctrl-^ (Ctrl-6 on most keyboards) opens the list of `baton pick`, and what you",
                "had typed comes back; set BATON_KEY before that line to another key, in the way",
                "in which your shell names keys, or to nothing.", "",
                "To stop, remove the line and type `baton shell --remove`.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let arguments = call.arguments
        let tasks = [
            arguments[0] != nil, arguments.has("segment"), arguments.has("remove"), arguments.has("follow"),
            arguments.has("explain"),
        ]
        guard tasks.filter(\.self).count == 1 else {
            throw LocalFailure(.usage, "Name your shell, as in `baton shell bash`.")
        }
        if let line = arguments.value("explain") { return try explain(line, call) }
        // The shell changes its folder. A relative path would then lead to another home.
        let home = try call.home().absolute(environment: call.environment)
        let files = ShellFiles(home)
        if let name = arguments[0] {
            files.prepare()
            call.console.print(
                exactly: try Shell(typed: name).script(
                    files, helperArguments: Self.arguments(home) + call.fileArguments)
            )
        } else if arguments.has("segment") {
            call.console.print(exactly: VisibleText(files.shownSegment))
        } else if arguments.has("remove") {
            remove(files, call)
        } else {
            try follow(call)
        }
    }

    /// The options by which the helper uses the same home and account.
    private static func arguments(_ home: Home) -> [String] {
        (home.isNamed ? ["--home", home.data] : []) + (home.meant.map { ["--account", $0.text] } ?? [])
    }

    private static func follow(_ call: Call) throws(LocalFailure) {
        guard let text = call.arguments.value("follow"), let number = Int32(text), number > 0 else {
            throw LocalFailure(.usage, "--follow needs the number of a process.")
        }
        guard
            var follower = try ShellFollower(
                number, home: try call.home(), settings: try call.configuration()?.shell ?? ShellSettings(),
                environment: call.environment)
        else { throw LocalFailure(.notFound, "There is no process \(number).") }
        try follower.run()
    }

    /// Prints the parts of a line's commands that other machines would see, if the line were typed in the present
    /// folder.
    private static func explain(_ line: String, _ call: Call) throws(LocalFailure) {
        let explanation = CommandExplanation(
            of: line, by: try call.configuration()?.shell ?? ShellSettings(), environment: call.environment)
        if call.isJSON { return call.console.print(explanation.json) }
        for line in explanation.lines { call.console.print(line) }
    }

    private static func remove(_ files: ShellFiles, _ call: Call) {
        let hadFiles = files.removeAll()
        let hadClones = KnownClones(environment: call.environment)?.remove() ?? false
        call.console.print(
            hadFiles || hadClones
                ? "Removed what was kept for shells. Remove the line from your shell's file, too."
                : "Nothing was kept for shells.")
    }
}
