import BatonCore

extension Requests {
    func handle(_: GetSettings, _ answer: Answer<Settings>) { answer(.success(account.settings)) }

    /// Changes a setting once the new value is kept, and replies with all settings.
    func handle(_ call: ChangeSetting, _ answer: @escaping Answer<Settings>) throws(LocalFailure) {
        let (name, value) = (call.name, call.value)
        guard let setting = Setting(rawValue: name) else {
            let names = Setting.allCases.map(\.rawValue).joined(separator: ", ")
            throw LocalFailure(.usage, "\(name) is none of the settings: \(names).")
        }
        guard value.map(setting.range.contains) ?? true else {
            throw LocalFailure(
                .usage,
                "\(name) can be from \(setting.range.lowerBound) to \(setting.range.upperBound).")
        }
        var settings = account.settings
        settings.set(setting, to: value)
        // A person who makes the machine private relies on it, also after a power loss.
        account.keep([settings.note(of: setting)], durably: true) { [account] failure in
            if let failure {
                return answer(
                    .failure(LocalFailure(.storage, "It was not kept: \(failure). Nothing has changed.")))
            }
            account.settings.set(setting, to: value)
            account.take(setting)
            answer(.success(account.settings))
        }
    }
}

extension AccountNode {
    /// Applies a setting that has changed.
    fileprivate func take(_ setting: Setting) {
        switch setting {
        case .private:
            // This comes first, so that nothing is read meanwhile.
            peers.holdsIndex = settings.isPrivate
            activities.set(isPrivate: settings.isPrivate)
            if settings.isPrivate { peers.withholdStreams() }
        case .finishedDays: activities.set(finishedDays: settings[.finishedDays])
        // These settings are read each time they are needed.
        case .itemsPerApp, .bytesPerApp, .expiredDays: break
        }
    }
}
