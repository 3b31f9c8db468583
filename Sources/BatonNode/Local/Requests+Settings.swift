import BatonCore

extension Requests {
    /// Sets something, once that is kept, and answers with all that is set.
    func set(
        _ name: String, to value: Int64?, _ answer: @escaping (LocalAnswer) -> Void
    ) throws(LocalFailure) {
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
        // Who lets nothing leave relies on it also after a power loss.
        account.keep([settings.note(of: setting)], durably: true) { [account] failure in
            if let failure {
                return answer(
                    .failure(LocalFailure(.storage, "It was not kept: \(failure). Nothing has changed.")))
            }
            account.settings.set(setting, to: value)
            account.take(setting)
            answer(.settings(account.settings))
        }
    }
}

extension AccountNode {
    /// Something is set anew; whoever goes by it hears of it.
    fileprivate func take(_ setting: Setting) {
        switch setting {
        case .private:
            // First of all, so that nothing is read meanwhile.
            peers.holdsIndex = settings.isPrivate
            activities.set(isPrivate: settings.isPrivate)
            if settings.isPrivate { peers.withholdStreams() }
        case .finishedDays: activities.set(finishedDays: settings[.finishedDays])
        // Whoever goes by these asks each time.
        case .itemsPerApp, .bytesPerApp, .expiredDays: break
        }
    }
}
