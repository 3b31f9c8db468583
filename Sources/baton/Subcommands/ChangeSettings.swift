import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton settings`: shows and changes the settings of this machine.
enum ChangeSettings {
    static var specification: CommandSpecification {
        CommandSpecification(
            "settings", "Show or change the settings of this machine.",
            operands: [
                .choice("NAME", Setting.allCases.map(\.rawValue) + ["app"], isRequired: false),
                .optional("VALUE"), .choice("SWITCH", AppSwitch.allCases.map(\.rawValue), isRequired: false),
                .choice("STATE", ["on", "off"], isRequired: false),
            ],
            notes: Setting.allCases.map { setting in
                let name = setting.rawValue.padded(to: 13)
                return "  \(name)  \(setting.summary) (\(setting.text(of: setting.usual)))"
            } + [
                "VALUE is a number, `on` or `off`, or `default`. Settings are for this machine",
                "alone.", "",
                "`baton settings app APP` shows the switches of an app, by its identifier, and",
                "`baton settings app APP SWITCH off` turns one off:",
            ]
                + AppSwitch.allCases.map { "  \($0.rawValue.padded(to: 13))  \($0.summary) (on)" }
                + [
                    "With handoff off, an activity of the app that goes on here is deleted on the",
                    "other machines, and goes on here.",
                ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        if call.arguments[0] == "app" { return try runApp(call) }
        guard call.arguments[2] == nil else {
            throw LocalFailure(.usage, "Too many arguments.\nUsage: \(specification.usage)")
        }
        let chosen = try call.arguments[0].map(setting)
        var node = try call.connect()
        let settings: Settings
        switch (call.arguments[0], call.arguments[1]) {
        case (let name?, let text?):
            settings = try node.ask(ChangeSetting(name, to: try value(text, of: chosen)))
        case (_, nil): settings = try node.ask(GetSettings())
        case (nil, _?): preconditionFailure("operands are in order")
        }
        show(chosen.map { [$0] } ?? Setting.allCases, of: settings, withApps: chosen == nil, call)
    }

    /// Returns the setting with this name; throws if there is none.
    ///
    /// This is checked before the node gets any call.
    private static func setting(_ name: String) throws(LocalFailure) -> Setting {
        guard let setting = Setting(rawValue: name) else {
            let names = Setting.allCases.map(\.rawValue).joined(separator: ", ")
            throw LocalFailure(.usage, "\(name) is not a setting. The settings are \(names).")
        }
        return setting
    }

    private static func value(_ text: String, of setting: Setting?) throws(LocalFailure) -> Int64? {
        if text == "default" { return nil }
        if setting?.isSwitch == true {
            guard let state = ["off", "on"].firstIndex(of: text) else {
                throw LocalFailure(.usage, "\(text) is none of `on`, `off` and `default`.")
            }
            return Int64(state)
        }
        guard let number = Int64(text) else {
            throw LocalFailure(.usage, "\(text) is neither a number nor `default`.")
        }
        return number
    }

    private static func show(_ shown: [Setting], of settings: Settings, withApps: Bool, _ call: Call) {
        if call.isJSON {
            var members = shown.map { JSON.Member($0.rawValue, $0.json(of: settings[$0])) }
            if withApps {
                let apps = settings.switchedApps.map { JSON.Member($0, JSON(switchesOf: $0, in: settings)) }
                members.append(.init("apps", .object(apps)))
            }
            return call.console.print(.object(members))
        }
        for setting in shown {
            let text = "\(setting.rawValue.padded(to: 15)) \(setting.text(of: settings[setting]))"
            call.console.print(VisibleText(text + (settings.isSet(setting) ? "" : " (default)")))
        }
        guard withApps else { return }
        for app in settings.switchedApps {
            let off = AppSwitch.allCases.filter { settings.isOff($0, for: app) }.map(\.rawValue)
            call.console.print("app \(app): \(off.joined(separator: ", ")) off")
        }
    }

    // MARK: Apps

    /// Shows or changes the switches of one app.
    private static func runApp(_ call: Call) throws(LocalFailure) {
        guard let app = call.arguments[1] else {
            throw LocalFailure(
                .usage, "Missing argument: APP.\nUsage: baton settings app APP [SWITCH on|off]")
        }
        var node = try call.connect()
        let settings: Settings
        if let text = call.arguments[2] {
            guard let switched = AppSwitch(rawValue: text) else {
                let names = AppSwitch.allCases.map(\.rawValue).joined(separator: ", ")
                throw LocalFailure(.usage, "\(text) is not a switch. The switches are \(names).")
            }
            guard let state = call.arguments[3], ["on", "off"].contains(state) else {
                throw LocalFailure(
                    .usage, "Type `on` or `off` after \(text): baton settings app \(app) \(text) off")
            }
            guard let name = AppSwitchName(AppSwitchName(switched, of: app).text) else {
                throw LocalFailure(.usage, "The identifier of the app is empty or too long.")
            }
            settings = try node.ask(ChangeSetting(name.text, to: state == "off" ? 0 : 1))
        } else {
            settings = try node.ask(GetSettings())
        }
        if call.isJSON { return call.console.print(JSON(switchesOf: app, in: settings)) }
        for switched in AppSwitch.allCases {
            let state = settings.isOff(switched, for: app) ? "off" : "on"
            call.console.print(VisibleText("\(switched.rawValue.padded(to: 15)) \(state)"))
        }
    }
}

extension Setting {
    /// A value of the setting, as people type and read it.
    fileprivate func text(of value: Int64) -> String {
        isSwitch ? (value == 0 ? "off" : "on") : "\(value)"
    }

    fileprivate func json(of value: Int64) -> JSON {
        isSwitch ? .boolean(value != 0) : .integer(value)
    }
}

extension JSON {
    /// The switches of an app.
    ///
    /// The value of each switch says whether it is on.
    fileprivate init(switchesOf app: String, in settings: Settings) {
        self = .object(
            AppSwitch.allCases.map { Member($0.rawValue, .boolean(!settings.isOff($0, for: app))) })
    }
}

extension String {
    /// The text, followed by spaces up to a length of `count`.
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - self.count))
    }
}
