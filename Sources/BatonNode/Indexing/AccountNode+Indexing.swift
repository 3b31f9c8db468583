import BatonCore
import BatonNetwork

/// Writes of apps to their indexes.
extension AccountNode {
    /// Names drafts of the index, stores them if the condition holds, and sends them on; if durable, they survive a
    /// power failure once reported.
    func index(
        _ drafts: [Journal.Draft], condition: IndexCondition?, durably: Bool = false,
        then: @escaping (Result<StoreCommit, StoreFailure>) -> Void
    ) {
        write(durably: durably, then: then) { journal in
            var transaction = journal.transaction(.index, drafts, now: .now)
            transaction?.condition = condition
            return transaction
        }
    }

    /// Ends a staged batch, of which this many drafts were given to the store.
    func end(
        _ batch: BatchIdentifier, count: Int, with state: Journal.Draft?, condition: IndexCondition,
        then: @escaping (Result<StoreCommit, StoreFailure>) -> Void
    ) {
        write(durably: true, then: then) { journal in
            var transaction = journal.ending(batch, count: count, with: state, now: .now)
            transaction?.condition = condition
            return transaction
        }
    }

    /// Returns how much an app may have in its indexes.
    func quota(of app: String) -> Quota {
        Quota(app: app, items: Int(settings[.itemsPerApp]), bytes: Int(settings[.bytesPerApp]))
    }

    /// Carries out the rest of what batches and clears have to do in a lane.
    func settle(_ lane: Lane) { drive { $0.settle(lane, at: loop.instant) } }
}
