import BatonCore

extension Requests {
    func getSettings(_: GetSettings, _ answer: Answer<Settings>) { answer(.success(core.settings)) }

    /// Changes a setting, and replies with all settings.
    ///
    /// The change takes effect once the new value is stored.
    func changeSetting(_ call: ChangeSetting, _ answer: @escaping Answer<Settings>) throws(LocalFailure) {
        let (name, value) = (call.name, call.value)
        if let name = AppSwitchName(name) { return try change(name, to: value, answer) }
        guard let setting = Setting(rawValue: name) else {
            let names = Setting.allCases.map(\.rawValue).joined(separator: ", ")
            throw LocalFailure(.usage, "\(name) is not a setting. The settings are \(names).")
        }
        guard value.map(setting.range.contains) ?? true else {
            throw LocalFailure(
                .usage,
                "\(name) can be from \(setting.range.lowerBound) to \(setting.range.upperBound).")
        }
        core.settingsKeeper.change {
            $0.set(setting, to: value)
        } then: { [account] failure in
            if let failure {
                return answer(
                    .failure(LocalFailure(saving: "the setting", failure, "Nothing has changed.")))
            }
            account.apply(setting)
            answer(.success(core.settings))
        }
    }

    /// Changes a switch of an app.
    ///
    /// The value 0 turns the switch off; 1 and nil turn it on.
    private func change(
        _ name: AppSwitchName, to value: Int64?, _ answer: @escaping Answer<Settings>
    ) throws(LocalFailure) {
        guard value.map({ (0...1).contains($0) }) ?? true else {
            throw LocalFailure(.usage, "\(name.text) can be 0 or 1.")
        }
        let isOff = value == 0
        let settings = core.settings
        guard !isOff || settings.hasRoom || settings.isOff(name.switched, for: name.app) else {
            throw LocalFailure(.tooLarge, "Too many apps are switched off. Switch some on first.")
        }
        core.settingsKeeper.change {
            $0.set(name, isOff: isOff)
        } then: { [account] failure in
            if let failure {
                return answer(
                    .failure(LocalFailure(saving: "the setting", failure, "Nothing has changed.")))
            }
            // Searches and suggestions read the switches each time. Only watched searches have to be repeated.
            if name.switched == .search { searches.noteChange() }
            // The donated actions of the app are deleted permanently.
            if name.switched == .suggestions, isOff { account.suggested.forgetDonations(of: name.app) }
            if name.switched == .handoff {
                account.activities.set(withheld: core.settings.apps(off: .handoff))
            }
            answer(.success(core.settings))
        }
    }
}
