import BatonClient
import BatonCore

/// An activity that the node has handed over, on its way to what continues it.
struct Continuing: ~Copyable {
    let call: Call
    var node: NodeConnection
    /// The shell that takes it over, if one does.
    let shell: ShellInstance?
    var continued: ContinuedActivity
    var duration: Duration

    private var text: ContinuedText { ContinuedText(continued, took: duration) }

    /// Hands it to what continues it; nothing stands for being told alone.
    mutating func goOn(_ registry: HandlerRegistry?) throws(LocalFailure) {
        var (plan, trouble): (HandlerPlan?, LocalFailure?)
        do throws(LocalFailure) {
            plan = try registry?.plan(continued.summary, environment: call.environment)
        } catch {
            trouble = error
        }
        let prints = call.arguments.has("print") && !call.isJSON
        if prints, plan == nil, trouble == nil {
            // What is printed is meant to be used, and there is nothing of the kind.
            try explain()
            throw LocalFailure(.failed, unhandled)
        }
        // It ends elsewhere only where it can go on here.
        if trouble == nil { try take(plan) }
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
        if prints {
            let line = try HandlerPlanText.line(plan.step)
            try explain()
            return call.console.print(line)
        }
        switch plan.step {
        case .run(let words):
            try explain()
            try call.start(words)
        case .go(let folder):
            call.console.print(text.line(at: .here))
            taken.map { call.console.print($0) }
            call.console.print("Go there: \(VisibleText("cd " + ShellWord.quoted(folder)))")
        case .hand(let app): try hand(to: app)
        }
    }

    // MARK: Taking over

    /// Has it end where it goes on, and begins it in this shell, if that is meant.
    private mutating func take(_ plan: HandlerPlan?) throws(LocalFailure) {
        guard let shell else { return }
        // An app that goes on with it takes it over itself.
        if case .hand? = plan?.step { return }
        let watch = Stopwatch()
        continued = try node.ask(ContinueActivity(.named(continued.summary.identifier), takes: true))
        duration = watch.elapsed
        let activity = continued.summary.activity
        _ = try node.ask(
            StartActivity(
                app: ShellInstance.app, instance: shell.name,
                lifetime: shell.process.map { .process($0) } ?? .untilFinished, type: activity.type,
                change: ActivityChange(content: activity)))
    }

    /// That this shell has it now.
    private var taken: VisibleText? {
        shell == nil || !continued.isTaken ? nil : "It is the activity of this shell now."
    }

    // MARK: Handing on

    private mutating func hand(to app: AppRegistration) throws(LocalFailure) {
        let handed = try node.ask(
            ContinueActivity(.named(continued.summary.identifier), takes: shell != nil, handler: app.name))
        call.console.print(ContinuedText(handed, took: duration).line(at: .here))
        call.console.print("\(handed.summary.label) goes on in \(app.label).")
    }

    /// The trouble; what is not here may only be on its way, so the activity stays in the list.
    private func stillOffered(_ trouble: LocalFailure) -> LocalFailure {
        guard trouble.code == .notFound, let first = trouble.text.split(separator: "\n").first else {
            return trouble
        }
        let short = continued.summary.short.text
        return LocalFailure(
            .notFound,
            first + "\nTry again once it is; `baton forget \(short)` hides the activity on this machine.")
    }

    // MARK: Telling

    /// Says what it is, at once, so that it is there whatever follows.
    private func tell() throws(LocalFailure) {
        for line in text.lines(at: .here) { call.console.print(line) }
        taken.map { call.console.print($0) }
        try call.console.flush()
    }

    /// Says what it is in a line, beside what follows.
    private func explain() throws(LocalFailure) {
        try call.console.explain(text.line(at: .here))
        if let taken { try call.console.explain(taken) }
    }

    private func explainHandlers() throws(LocalFailure) { try call.console.explain(VisibleText(unhandled)) }

    /// What to do where nothing continues it.
    private var unhandled: String {
        let activity = continued.summary.activity
        return activity.supportsStreams
            ? "\(activity.type) offers a stream; `baton continue \(continued.summary.short) --stream` joins it."
            : "Nothing here continues \(activity.type); `baton help handlers` tells how to say what does."
    }
}
