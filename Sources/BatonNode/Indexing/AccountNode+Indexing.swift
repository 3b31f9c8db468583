import BatonCore
import BatonNetwork

/// What apps write into their indexes.
extension AccountNode {
    /// Names drafts of the index, keeps them if the condition holds, and passes them on; durably, so that they survive
    /// the loss of power.
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

    /// Ends a staged batch, of which so many drafts were given to the store.
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

    /// How much an app may have.
    func quota(of app: String) -> Quota {
        Quota(app: app, items: Int(settings[.itemsPerApp]), bytes: Int(settings[.bytesPerApp]))
    }

    /// Does what batches and clears have left to be done in a lane.
    func settle(_ lane: Lane) { drive { $0.settle(lane, at: loop.instant) } }
}
