import BatonClient
import BatonCore

/// `baton settings`: shows and changes the settings of this machine.
enum ChangeSettings {
    static var specification: CommandSpecification {
        CommandSpecification(
            "settings", "Show or change the settings of this machine.",
            operands: [
                .choice("NAME", Setting.allCases.map(\.rawValue), isRequired: false), .optional("VALUE"),
            ],
            notes: Setting.allCases.map { setting in
                let name = setting.rawValue.padded(to: 13)
                return "  \(name) \(setting.summary) (\(setting.usual))"
            } + ["VALUE is a number, or `default`. Settings are for this machine alone."])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        var node = try call.connect()
        let settings: Settings
        switch (call.arguments[0], call.arguments[1]) {
        case (let name?, let text?): settings = try node.ask(ChangeSetting(name, to: try value(text)))
        case (_, nil): settings = try node.ask(GetSettings())
        case (nil, _?): preconditionFailure("operands are in order")
        }
        var shown = Setting.allCases
        if let name = call.arguments[0] {
            shown = shown.filter { $0.rawValue == name }
            guard !shown.isEmpty else {
                throw LocalFailure(.usage, "\(name) is not a setting. `baton settings` shows them all.")
            }
        }
        show(shown, of: settings, call)
    }

    private static func value(_ text: String) throws(LocalFailure) -> Int64? {
        if text == "default" { return nil }
        guard let number = Int64(text) else {
            throw LocalFailure(.usage, "\(text) is neither a number nor `default`.")
        }
        return number
    }

    private static func show(_ shown: [Setting], of settings: Settings, _ call: Call) {
        if call.isJSON {
            let members = shown.map { JSON.Member($0.rawValue, .integer(settings[$0])) }
            return call.console.print(.object(members))
        }
        for setting in shown {
            let text = "\(setting.rawValue.padded(to: 15)) \(settings[setting])"
            call.console.print(VisibleText(text + (settings.isSet(setting) ? "" : " (default)")))
        }
    }
}

extension String {
    /// The text, padded with spaces.
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - self.count))
    }
}
