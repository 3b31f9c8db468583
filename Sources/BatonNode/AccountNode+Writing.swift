import BatonCore
import BatonNetwork
import BatonSecurity

/// What this device writes: named, told to who is connected, kept, and passed on.
extension AccountNode {
    /// Names drafts, keeps them, and passes them on once they are kept.
    func publish(
        _ drafts: [Journal.Draft], notes: [LocalNote] = [], durably: Bool = false,
        then: @escaping (StoreFailure?) -> Void
    ) {
        write(durably: durably) { result in
            switch result {
            case .failure(let failure): then(failure)
            case .success(let commit): then(commit.outranked.isEmpty ? nil : .outranked)
            }
        } naming: { journal in
            var transaction = journal.transaction(.activities, drafts, now: .now)
            transaction?.notes = notes
            return transaction
        }
    }

    /// Keeps what this device notes for itself; nobody else hears of it.
    func keep(_ notes: [LocalNote], durably: Bool = false, then: @escaping (StoreFailure?) -> Void) {
        var transaction = StoreTransaction(lane: .activities, writes: [], completing: VersionVector())
        transaction.notes = notes
        store.submit(to: .activities, durably: durably) { [transaction] (store) throws(StoreFailure) in
            _ = try store.commit(transaction)
        } then: { [self] result in
            guard case .failure(let failure) = result else { return then(nil) }
            storeTroubles?.note(failure)
            then(failure)
        }
    }

    /// Has what the closure names told and kept; nothing is named of what is beyond limits.
    func write(
        durably: Bool = false, then: @escaping (Result<StoreCommit, StoreFailure>) -> Void,
        naming name: (inout Journal) -> StoreTransaction?
    ) {
        let ticket = drive { account in
            let ticket = account.writing.write(durably: durably, naming: name)
            if let ticket { waiting[ticket] = then }
            return ticket
        }
        if ticket == nil {
            then(.failure(StoreFailure(.failed, "it is larger than what can be told to other devices")))
        }
    }

    /// Names a batch that begins.
    func newBatch() -> BatchIdentifier { BatchIdentifier(value: generator.next()) }

    /// What names the writes of this device.
    var journal: Journal { account.writing.journal }
}
