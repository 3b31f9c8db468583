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

    /// Keeps what the closure names, and passes it on; nothing is named of what is beyond limits.
    func write(
        durably: Bool = false, then: @escaping (Result<StoreCommit, StoreFailure>) -> Void,
        naming name: (inout Journal) -> StoreTransaction?
    ) {
        guard let transaction = name(&journal) else {
            return then(
                .failure(StoreFailure(.failed, "it is larger than what can be told to other devices")))
        }
        keep(transaction, durably: durably, then: then)
    }

    /// Names a batch that begins.
    func newBatch() -> BatchIdentifier { BatchIdentifier(value: generator.next()) }

    /// Keeps what the journal named, and passes it on.
    ///
    /// All writes named in one life are one line. Behind a write that was not kept, nothing more of the line is kept in
    /// that lane: it would claim the missing write, of which others may have been told. Writes that peers sent by then
    /// are not kept, either: a peer that was told of them takes them for known here, and says to have passed them on.
    private func keep(
        _ transaction: StoreTransaction, durably: Bool = false,
        then: @escaping (Result<StoreCommit, StoreFailure>) -> Void
    ) {
        let life = journal.life
        tellAhead(transaction)
        store.submit(to: transaction.lane, in: ownWrites, durably: durably) { (store) throws(StoreFailure) in
            try store.commit(transaction)
        } then: { [self] result in
            switch result {
            case .success(let commit):
                handle(commit, of: transaction.lane)
                then(result)
            case .failure(let failure):
                // What is named from now on must not be covered together with what was not kept.
                if journal.life == life { beginLife() }
                // Who was told of it has it: met anew, they bring it back.
                peers.meetAnew()
                storeTroubles?.note(failure)
                log.warn("a change was not kept: \(failure)")
                then(result)
            }
        }
    }

    /// Tells who is connected of what goes on here before the disk has it, so that nobody waits for that.
    ///
    /// The witness knows by then that its dots were told: should this process end before they are kept, the next one
    /// begins another life.
    private func tellAhead(_ transaction: StoreTransaction) {
        guard transaction.canBeToldAhead, !peers.connected.isEmpty,
            let sequence = journal.names.sequences[transaction.lane],
            store.witness.noteTold(
                sequence, of: journal.life, at: journal.clock.latest, in: transaction.lane)
        else { return }
        peers.handleWriting(transaction)
    }

    func beginLife() {
        journal.beginLife(newLife())
        ownWrites = StoreLine()
        twin.begin(journal.life)
        store.begin(journal.life)
    }

    /// Names what earlier lives of this device wrote, and lost with the power, once more; others still had it.
    func adopt(_ strays: [Write], in lane: Lane) {
        guard let latest = strays.map(\.dot.origin.life).max() else { return }
        if latest >= journal.life {
            // No clock gave the name of a life that begins later than clocks follow.
            guard journal.clock.latest.following(latest.birth) >= latest.birth else { return }
            journal.witness(latest.birth)
            beginLife()
        }
        guard let transaction = journal.adoption(of: strays, in: lane) else { return }
        keep(transaction) { [log] result in
            guard case .success = result else { return }
            log.tell("\(strays.count) changes that nobody else would pass on were taken over")
        }
    }
}
