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
        var transaction = StoreTransaction(lane: .activities, writes: [], completing: VersionVector())
        transaction.notes = [settings.note(of: setting)]
        account.store.submit(to: .activities) { [transaction] (store) throws(StoreFailure) in
            try store.commit(transaction)
        } then: { [account] result in
            switch result {
            case .success:
                account.settings.set(setting, to: value)
                answer(.settings(account.settings))
            case .failure(let failure):
                answer(.failure(LocalFailure(.storage, "It was not kept: \(failure). Nothing has changed.")))
            }
        }
    }
}
