import BatonCore
import BatonSecurity

/// What is going on on all devices, and what has ended, as this device knows it.
extension AccountNode {
    /// What a person is told of an activity.
    func summary(_ listed: ListedActivity) -> ActivitySummary {
        let own = credentials.device
        var summary = ActivitySummary(
            identifier: listed.identifier, device: reference(listed.device), app: listed.app,
            instance: listed.instance ?? "", activity: listed.activity, spelledBy: listed.fields,
            continuedOn: listed.activity.continuation.map { name(of: $0.device) })
        summary.isSentHere = listed.isSent(to: own)
        summary.isForgotten = dismissals.hide(listed.identity, listed.activity)
        if let name = listed.name, name.device == own { summary.isPrivate = !activities.isShared(name) }
        return summary
    }

    /// Reads what is going on everywhere; of this device it is what its apps say, and not what is on disk.
    func readCurrent(then: @escaping (Result<ActivityList, LocalFailure>) -> Void) {
        store.submit(to: .activities) { (store) throws(StoreFailure) in
            try store.records(of: .currentActivity)
        } then: { [self] result in
            let own = credentials.device
            then(
                list(result) { records in
                    records.compactMap(\.activity).filter { $0.name.device != own }
                        .map { ListedActivity($0.name, $0.activity) }
                        + activities.current.map { ListedActivity($0.name, $0.activity) }
                })
        }
    }

    /// Reads what has ended, of all of it or of some.
    func readFinished(
        where isWanted: @escaping @Sendable (ListedActivity) -> Bool = { _ in true },
        then: @escaping (Result<ActivityList, LocalFailure>) -> Void
    ) {
        store.submit(to: .activities) { (store) throws(StoreFailure) in
            try store.records(of: .savedActivity).compactMap { ListedActivity(saved: $0) }.filter(isWanted)
        } then: { [self] result in
            then(list(result) { $0 })
        }
    }

    private func list<Found>(
        _ result: Result<Found, StoreFailure>, _ entries: (Found) -> [ListedActivity]
    ) -> Result<ActivityList, LocalFailure> {
        result.map {
            ActivityList(entries($0), dismissals: dismissals, own: credentials.device, now: .now)
        }.mapError {
            LocalFailure(.storage, "The activities could not be read: \($0).")
        }
    }

    /// The activity whose identifier begins so, be it going on or not.
    func find(identified text: String, then: @escaping (Result<ListedActivity, LocalFailure>) -> Void) {
        readCurrent { [self] result in
            do throws(LocalFailure) {
                if let found = try result.get().identified(text) { return then(.success(found)) }
            } catch {
                return then(.failure(error))
            }
            findFinished(text) { result in
                then(
                    result.flatMap { found in
                        found.map { .success($0) }
                            ?? .failure(
                                LocalFailure(
                                    .notFound,
                                    "No activity has “\(text)” as its identifier. `baton list` shows what is going on."
                                ))
                    })
            }
        }
    }

    /// What has ended and is called so, or was while it was going on.
    func findFinished(_ text: String, then: @escaping (Result<ListedActivity?, LocalFailure>) -> Void) {
        let prefix = text.lowercased()
        readFinished {
            $0.isCalled(prefix)
        } then: { result in
            then(
                result.flatMap { list in
                    do throws(LocalFailure) {
                        return .success(try list.identified(prefix))
                    } catch {
                        return .failure(error)
                    }
                })
        }
    }

    /// What became of an activity that was going on under that record, as far as that is known here: the last that ended so.
    func findEnd(of identity: RecordIdentity, then: @escaping (ListedActivity?) -> Void) {
        store.submit(to: .activities) { (store) throws(StoreFailure) in
            try store.records(of: .savedActivity).compactMap { ListedActivity(saved: $0) }
                .filter { $0.activity.origin?.identity == identity }
                .max { $0.activity.end < $1.activity.end }
        } then: { [self] result in
            switch result {
            case .success(let found): then(found)
            case .failure(let failure):
                log.tell("what became of an activity could not be read: \(failure)")
                then(nil)
            }
        }
    }
}
