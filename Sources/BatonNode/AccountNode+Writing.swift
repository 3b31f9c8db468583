import BatonCore
import BatonNetwork
import BatonSecurity

/// Writing for this device: a change gets its name, is sent to connected devices, is stored, and reaches the others
/// later.
extension AccountNode {
    /// Names drafts, stores them, and sends them on once they are stored.
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

    /// Stores notes of this device, which are not replicated.
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

    /// Sends and stores the transaction that the closure names; nothing is named if it would be beyond the limits.
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

    /// Returns the identifier of a new batch.
    func newBatch() -> BatchIdentifier { BatchIdentifier(value: generator.next()) }

    /// The journal, which names the writes of this device.
    var journal: Journal { account.writing.journal }
}
