import BatonCommand
import BatonCore
import Glibc

/// `baton setup`: sets up this machine in one guided run.
enum Setup {
    static var specification: CommandSpecification {
        CommandSpecification(
            "setup", "Set up this machine step by step: account, service, shell, editors, browsers.",
            options: [
                .value("new", "NAME", "make an account; this machine gets the name"),
                .value("join", "CODE", "join the account of the machine that shows the code"),
                .value("at", "HOST:PORT", "with --join: the address of that machine"),
                .value("skip", "PARTS", "leave out parts, separated by commas", repeats: true),
                .flag("yes", "ask nothing, and take the answers that Enter takes"),
                .flag("undo", "take back what setup did, but for the account"),
                .flag("as-root", "set up root itself"),
            ],
            notes: [
                "It asks before each part, and Enter takes the answer in brackets:",
                "  account    make an account as `baton init`, or join one as `baton join`",
                "  service    install the service as `baton service install`",
                "  shell      add the line of `baton help shell` to your shell's own file",
                "  editors    add the lines of `baton editor` for Vim, Neovim and Emacs",
                "  browsers   tell browsers where Baton is, as `baton browser install`",
                "It ends with the checks of `baton doctor`. Type it again at any time: parts",
                "that are done stay as they are, and no line is added twice. A setup that was",
                "interrupted has left nothing half done, and goes on when you type it again.", "",
                "A file is replaced as a whole, and keeps its mode, its owner and its links. A",
                "file that is read-only or belongs to another user stays as it is; then the",
                "lines for it are shown.", "",
                "--undo asks for each part. It takes out the lines that setup added, deletes a",
                "file that had nothing else, and removes the service. Your account stays.", "",
                "Without a terminal, add --yes. An account that --yes makes shows its recovery",
                "code once, and does not ask you to repeat it. The exit status is that of the",
                "first part that failed, or else that of `baton doctor`.",
            ])
    }

    /// Sets this machine up, or takes that back; returns the exit status.
    static func run(_ call: Call) throws(LocalFailure) -> Int32 {
        let choices = try SetupChoices(call.arguments)
        guard geteuid() != 0 || choices.isForRoot else {
            throw LocalFailure(
                .notAllowed,
                "You are root, but Baton should be set up for yourself. Type the same without sudo.\n"
                    + "To set up Baton for root itself, add --as-root.")
        }
        let questions = SetupQuestions(call.console, takesEnter: choices.takesEnter)
        try questions.demandPerson()
        var steps = try SetupSteps(call, choices, questions)
        return choices.isUndoing ? try steps.undo() : try steps.doAll()
    }
}
