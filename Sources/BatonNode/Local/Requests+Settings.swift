import BatonCore

extension Requests {
    func handle(_: GetSettings, _ answer: Answer<Settings>) { answer(.success(account.settings)) }

    /// Changes a setting once the new value is stored, and replies with all settings.
    func handle(_ call: ChangeSetting, _ answer: @escaping Answer<Settings>) throws(LocalFailure) {
        let (name, value) = (call.name, call.value)
        guard let setting = Setting(rawValue: name) else {
            let names = Setting.allCases.map(\.rawValue).joined(separator: ", ")
            throw LocalFailure(.usage, "Unknown setting: \(name). The settings are \(names).")
        }
        guard value.map(setting.range.contains) ?? true else {
            throw LocalFailure(
                .usage,
                "\(name) can be from \(setting.range.lowerBound) to \(setting.range.upperBound).")
        }
        var settings = account.settings
        settings.set(setting, to: value)
        // A machine that was made private must still be private after a power loss.
        account.keep([settings.note(of: setting)], durably: true) { [account] failure in
            if let failure {
                return answer(
                    .failure(
                        LocalFailure(.storage, "Could not save the setting: \(failure). Nothing has changed.")
                    ))
            }
            account.set(setting, to: value)
            answer(.success(account.settings))
        }
    }
}
