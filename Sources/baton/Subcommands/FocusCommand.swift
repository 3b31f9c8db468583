import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton focus`: switches a focus on or off on all devices, and changes focuses.
enum FocusCommand {
    static var specification: CommandSpecification {
        CommandSpecification(
            "focus", "Switch a focus on or off, on all your machines, or change one.",
            operands: [.optional("FOCUS"), .anyNumber("SETTING")], ownOperands: 4,
            notes: [
                "A focus is a named set of settings of apps. When it is switched on, each app",
                "that runs on one of your machines applies its settings; other apps do so when",
                "they start. One focus at most is on. A switch reaches all machines, also from",
                "a machine that is kept private.", "",
                "  baton focus               shows which focus is on",
                "  baton focus NAME          switches it on; `baton focus off` switches it off",
                "  baton focus list          lists all focuses",
                "  baton focus show NAME     shows its settings, as commands that make them",
                "  baton focus add NAME      makes a focus",
                "  baton focus remove NAME   deletes it",
                "  baton focus set NAME APP INTENT [--PARAMETER VALUE]…",
                "                            makes a setting of an app, and the focus if need be",
                "  baton focus unset NAME APP [INTENT]",
                "                            removes the settings of an app, or one of them", "",
                "`baton intents APP` shows which intents are for a focus.",
                "Exit status: 11 if there is no such focus, app or intent.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let words = call.arguments.operands
        guard let first = words.first else {
            let settings = try call.ask(ListFocuses())
            guard !call.isJSON else { return call.console.print(FocusList(settings).json) }
            return call.console.print(FocusList(settings).state(at: .here))
        }
        switch first {
        case "off":
            try expect(words, 1)
            tell(try call.ask(SwitchFocus(nil)), call)
        case "list":
            try expect(words, 1)
            list(try call.ask(ListFocuses()), call)
        case "show":
            try expect(words, 2)
            try show(words[1], call)
        case "add":
            try expect(words, 2)
            report(try call.ask(ChangeFocus(words[1], .add)), "The focus “\(words[1])” exists now.", call)
        case "remove":
            try expect(words, 2)
            try known(words[1], call) { (call) throws(LocalFailure) in
                report(
                    try call.ask(ChangeFocus(words[1], .remove)), "Deleted the focus “\(words[1])”.",
                    call)
            }
        case "set": try set(words, call)
        case "unset": try unset(words, call)
        default:
            try expect(words, 1)
            try known(first, call) { (call) throws(LocalFailure) in
                tell(try call.ask(SwitchFocus(first)), call)
            }
        }
    }

    // MARK: Settings

    private static func set(_ words: [String], _ call: Call) throws(LocalFailure) {
        guard words.count >= 4 else {
            throw LocalFailure(
                .usage, "Missing arguments.\nUsage: baton focus set NAME APP INTENT [--PARAMETER VALUE]…")
        }
        let app = try call.intents().app(named: words[2])
        let intent = try InstalledIntents.intent(named: words[3], of: app)
        guard intent.isFocusFilter else {
            let filters = app.intents.filter(\.isFocusFilter).map(\.name)
            throw LocalFailure(
                .usage,
                "\(intent.name) is not for a focus. "
                    + (filters.isEmpty
                        ? "\(VisibleText(app.label).text) has no settings for a focus."
                        : "Use one of: \(filters.joined(separator: ", ")).")
            )
        }
        let values = try IntentArguments(Array(words.dropFirst(4)), of: intent, in: app).values
        let filter = FocusFilter(app: app.app, intent: intent.name, values: values)
        report(
            try call.ask(ChangeFocus(words[1], .set(filter))),
            "The focus “\(words[1])” now sets \(app.label): \(intent.title).", call)
    }

    private static func unset(_ words: [String], _ call: Call) throws(LocalFailure) {
        guard (3...4).contains(words.count) else {
            throw LocalFailure(.usage, "Usage: baton focus unset NAME APP [INTENT]")
        }
        // A setting of an app that is not on this machine is removed by the app's identifier.
        let app: String
        do throws(LocalFailure) { app = try call.intents().app(named: words[2]).app } catch { app = words[2] }
        let intent = words.count > 3 ? words[3] : nil
        report(
            try call.ask(ChangeFocus(words[1], .unset(app: app, intent: intent))),
            "The focus “\(words[1])” no longer sets \(app).", call)
    }

    // MARK: Answers

    private static func list(_ settings: FocusSettings, _ call: Call) {
        if call.isJSON { return call.console.print(FocusList(settings).json) }
        guard !settings.focuses.isEmpty else {
            return call.console.print("There are no focuses. `baton focus add NAME` makes one.")
        }
        call.console.print(FocusList(settings).table)
    }

    private static func show(_ name: String, _ call: Call) throws(LocalFailure) {
        let settings = try call.ask(ListFocuses())
        guard let focus = settings.focus(named: name) else { throw unknown(name, among: settings) }
        if call.isJSON {
            return call.console.print(FocusList.json(of: focus, isOn: settings.present == focus))
        }
        for line in FocusList.lines(of: focus) { call.console.print(exactly: line) }
    }

    private static func tell(_ settings: FocusSettings, _ call: Call) {
        report(settings, FocusList(settings).state(at: .here), call)
    }

    private static func report(_ settings: FocusSettings, _ text: VisibleText, _ call: Call) {
        if call.isJSON { call.console.print(FocusList(settings).json) } else { call.console.print(text) }
    }

    // MARK: Failures

    private static func expect(_ words: [String], _ count: Int) throws(LocalFailure) {
        guard words.count != count else { return }
        throw LocalFailure(
            .usage,
            words.count < count
                ? "Missing argument: NAME.\nUsage: baton focus \(words[0]) NAME"
                : "Unexpected argument: \(VisibleText(words[count]).text). See `baton help focus`.")
    }

    /// Makes a change of a focus; if there is none of that name, the failure names the nearest one.
    private static func known(
        _ name: String, _ call: Call, _ change: (Call) throws(LocalFailure) -> Void
    ) throws(LocalFailure) {
        do throws(LocalFailure) { try change(call) } catch  where error.code == .notFound {
            throw unknown(name, among: try call.ask(ListFocuses()))
        }
    }

    private static func unknown(_ name: String, among settings: FocusSettings) -> LocalFailure {
        let words = settings.focuses.map(\.name) + FocusName.reserved.sorted()
        let advice =
            Suggestion.nearest(to: name, among: words).map { "Did you mean `baton focus \($0)`?" }
            ?? "`baton focus list` shows all; `baton focus add NAME` makes one."
        return LocalFailure(.notFound, "No focus has the name “\(VisibleText(name).text)”.\n\(advice)")
    }
}

extension Call {
    /// Makes a call about focuses.
    fileprivate func ask<Asked: LocalCall>(_ asked: Asked) throws(LocalFailure) -> FocusSettings
    where Asked.Reply == FocusesReply {
        var node = try connect()
        return try node.ask(asked).settings
    }
}
