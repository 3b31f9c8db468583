import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal
import Glibc

/// An activity whose latest state the node has fetched, and which a handler of this machine will continue.
///
/// The other machine learns of this only when it is certain that the activity can continue here. Only then may the
/// activity end there.
struct Continuing: ~Copyable {
    let call: Call
    var node: NodeConnection
    /// The shell that takes the activity over, or nil without `--take`.
    let shell: ShellInstance?
    /// Whether the handler's command is printed and not run.
    var prints = false
    /// Whether a command that needs a terminal gets a window.
    var opensWindow = false
    var continued: ContinuedActivity
    var duration: Duration

    private var text: ContinuedText { ContinuedText(continued, took: duration) }
    /// The type of the fetched activity.
    ///
    /// The node refuses the confirmation if the activity has another type by then.
    private var type: String { continued.summary.activity.type }

    /// Passes the activity to its handler.
    ///
    /// Without a registry, the activity is only shown.
    mutating func goOn(_ registry: HandlerRegistry?) throws(LocalFailure) {
        var (plan, trouble): (HandlerPlan?, LocalFailure?)
        do throws(LocalFailure) {
            plan = try registry?.plan(continued.summary, environment: call.environment)
        } catch {
            trouble = error
        }
        if prints, plan == nil, trouble == nil {
            // With `--print`, a shell reads the standard output. So the activity is shown on the standard error.
            try explain()
            throw LocalFailure(.failed, unhandled)
        }
        let line =
            try prints ? plan.map { (plan) throws(LocalFailure) in try HandlerPlanText.line(plan.step) } : nil
        if !prints, !call.isJSON, case .run(let words)? = plan?.step {
            try ProgramStart.check(words, path: call.environment("PATH"))
        }
        if opensWindow, trouble == nil, let plan, plan.needsTerminal { return try openWindow(for: plan.step) }
        let isForApp = plan?.step.isForApp ?? false
        // If an app continues the activity, the node confirms after the app has accepted it. With `--json`, no app is
        // asked.
        if trouble == nil, !isForApp || call.isJSON {
            try confirm(takes: !isForApp && shell != nil)
        }
        if call.isJSON {
            let handler = HandlerPlanText.json(plan, trouble: trouble)
            return call.console.print(JSON(continued, took: duration, handler: handler))
        }
        if let trouble {
            if !prints { try tell() }
            throw stillOffered(trouble)
        }
        guard let plan else {
            try tell()
            if registry != nil { try explainHandlers() }
            return
        }
        if let line {
            try explain()
            return call.console.print(exactly: line)
        }
        switch plan.step {
        case .run(let words):
            try explain()
            if case .intent = plan.handler.action { try call.passHomeOn() }
            try start(words, opening: plan.opening)
        case .go(let place): try go(to: place)
        case .paste:
            try explain()
            try Pasting(continued.summary, call).show()
        case .hand(let app): try hand(to: app, opening: plan.opening)
        case .start(let manifest): try start(manifest)
        }
    }

    // MARK: Confirming

    /// Tells the other machine that the activity is continued here.
    ///
    /// With `--take`, the activity ends on the other machine, and starts in this shell.
    private mutating func confirm(takes: Bool) throws(LocalFailure) {
        // An activity that has already ended is not changed.
        if continued.source != .finished {
            let outcome = try node.ask(
                ContinueActivity(
                    .named(continued.summary.identifier), takes: takes, step: .confirm, type: type))
            continued = continued.confirmed(as: outcome)
        }
        guard takes, let shell else { return }
        let activity = continued.summary.activity
        _ = try node.ask(
            StartActivity(
                app: ShellInstance.app, instance: shell.name,
                lifetime: shell.process.map { .process($0) } ?? .untilFinished, type: activity.type,
                change: ActivityChange(content: activity)))
    }

    /// A sentence that this shell has taken the activity over, or nil if it has not.
    private var taken: VisibleText? {
        shell == nil || !continued.isTaken ? nil : "It is now the activity of this shell."
    }

    // MARK: Windows

    /// Opens a window in which the activity is continued.
    ///
    /// Some terminals join their arguments to a command line for a shell. So no argument that came from another machine
    /// is passed to them. Instead, this command runs in the window, with the identifier of the activity.
    private mutating func openWindow(for step: HandlerPlan.Step) throws(LocalFailure) {
        let window = try TerminalWindow(path: call.environment("PATH"))
        if case .go(let place) = step {
            guard chdir(place.path) == 0 else {
                throw LocalFailure(
                    .failed, "The folder “\(VisibleText(place.path).text)” can't be entered.")
            }
            try confirm(takes: false)
            try explain()
            return try call.start(window.words)
        }
        guard let program = OwnProgram.path else {
            throw LocalFailure(.failed, "The path of this command can't be read from /proc/self/exe.")
        }
        try call.passHomeOn()
        try call.start(window.words(running: [program, "continue", continued.summary.identifier]))
    }

    // MARK: Folders

    /// Tells the person's shell to change to a folder.
    ///
    /// If the shell does not support this, prints the command that does.
    private func go(to place: FoundPlace) throws(LocalFailure) {
        call.console.print(text.line(at: .here))
        taken.map { call.console.print($0) }
        for note in place.notes { call.console.print(note) }
        let info = continued.summary.activity.info
        if case .string(let command)? = info[.string(PersonalShell.Key.shortened)] {
            let device = continued.summary.device.name
            call.console.print("“\(device)” shares only this part of the command: \(command)")
        }
        let shown = PortablePaths(in: nil, home: call.environment("HOME")).portable(place.path)
        if let branch = place.otherBranch, Question.canBeAsked,
            try Question.isAgreed(to: "Change to the branch \(branch) in \(shown)?", on: call.console),
            let error = Git.change(to: branch, in: place.path)
        {
            call.console.print("The branch was not changed: \(error)")
        }
        guard let file = call.shellAnswer else {
            return call.console.print(
                exactly: "Go there: \(VisibleText("cd " + ShellWord.quoted(place.path)))")
        }
        guard ShellFiles.write(Array(place.path.utf8) + [0], to: file) else {
            throw LocalFailure(
                .failed,
                "Your shell could not be told where to go.\nGo there: \(VisibleText("cd " + ShellWord.quoted(place.path)).text)"
            )
        }
        call.console.print("You are in \(place.path) now.")
    }

    // MARK: Passing to a handler

    /// Replaces this process with a command.
    ///
    /// If it is an editor with a plugin, it also gets the other files and the changes.
    private func start(_ words: [String], opening: FileOpening?) throws(LocalFailure) {
        if let opening {
            for note in opening.notes { try call.console.explain(note) }
            if try EditorCommand(environment: call.environment).isStarted(by: words) {
                for change in opening.changes {
                    try call.console.explain(
                        "The unsaved changes of \(change.path) there come along; a command of the editor applies them."
                    )
                }
                EditorEvent.passOn(opening)
            }
        }
        try call.start(words)
    }

    /// Starts an app that continues the activity.
    ///
    /// If the app needs the terminal, it replaces this process.
    private mutating func start(_ manifest: AppManifest) throws(LocalFailure) {
        if manifest.terminal {
            try explain()
            let taking = shell == nil ? [] : [(name: "BATON_TAKE", value: "1")]
            return try StartedApp.replaceThisProcess(
                by: manifest,
                variables: [
                    (name: "BATON_CONTINUE", value: continued.summary.identifier),
                    (name: "BATON_CONTINUE_TYPE", value: type),
                ] + taking, call)
        }
        let (type, isDonated) = (type, continued.summary.donation != nil)
        let app = try StartedApp.start(manifest, &node, call) { registration in
            isDonated || registration.takes(type)
        }
        try hand(to: app)
    }

    /// Asks the node to pass the activity to an app.
    ///
    /// If the app is an editor and can't open the file now, the file is opened in this terminal.
    private mutating func hand(
        to app: AppRegistration, opening: FileOpening? = nil
    ) throws(LocalFailure) {
        let handed: ContinuedActivity
        do throws(LocalFailure) {
            handed = try node.ask(
                ContinueActivity(
                    .named(continued.summary.identifier), takes: shell != nil, handler: app.name, type: type))
        } catch {
            guard let opening, [.failed, .notFound].contains(error.code) else { throw error }
            let words = try EditorCommand(environment: call.environment).opening(opening)
            try ProgramStart.check(words, path: call.environment("PATH"))
            try confirm(takes: shell != nil)
            try explain()
            try call.console.explain(
                "\(app.label) does not answer at the moment, so the file is opened here.")
            return try start(words, opening: opening)
        }
        call.console.print(ContinuedText(handed, took: duration).line(at: .here))
        call.console.print("\(handed.summary.label) continues in \(app.label).")
    }

    /// Adds the advice to try again later.
    ///
    /// A missing file may still arrive, so the activity remains in the list.
    private func stillOffered(_ trouble: LocalFailure) -> LocalFailure {
        guard trouble.code == .notFound else { return trouble }
        let hiding = "`baton forget \(continued.summary.short.text)` to hide the activity on this machine."
        // A message has at most two lines. The first failure may already have its own advice on the second.
        let advice =
            trouble.text.contains("\n")
            ? " Then try again; or type \(hiding)" : "\nTry again once it is; or type \(hiding)"
        return LocalFailure(.notFound, trouble.text + advice)
    }

    // MARK: Telling

    /// Prints the activity, before its handler starts.
    private func tell() throws(LocalFailure) {
        for line in text.lines(at: .here) { call.console.print(line) }
        taken.map { call.console.print($0) }
        try call.console.flush()
    }

    /// Prints a line about the activity to the standard error.
    private func explain() throws(LocalFailure) {
        try call.console.explain(text.line(at: .here))
        if let taken { try call.console.explain(taken) }
    }

    private func explainHandlers() throws(LocalFailure) { try call.console.explain(VisibleText(unhandled)) }

    /// The advice for an activity that no handler of this machine continues.
    private var unhandled: String {
        let activity = continued.summary.activity
        if continued.summary.donation != nil {
            let app = VisibleText(continued.summary.app).text
            return
                "Only \(app) can do this, because it donated the action. Start the app first, or install its manifest."
        }
        return activity.supportsStreams
            ? "\(activity.type) offers a stream; type `baton continue \(continued.summary.short) --stream` to connect to it."
            : "Nothing here continues \(activity.type): see `baton help handlers` for how to add a handler."
    }
}

extension HandlerPlan.Step {
    /// Whether an app continues the activity, rather than this process.
    fileprivate var isForApp: Bool {
        switch self {
        case .hand, .start: true
        case .run, .go, .paste: false
        }
    }
}
