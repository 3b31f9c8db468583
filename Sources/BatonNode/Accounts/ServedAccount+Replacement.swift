import BatonCore
import BatonNetwork
import BatonStore

/// Replaces the state that is served with another one.
extension ServedAccount {
    /// The replacement that is under way, and everything that waits for it.
    struct Replacement {
        /// The activities and waits that connected apps began with the earlier state.
        let carried: CarriedApps
        /// The requests that apps and commands send meanwhile.
        var waiting: [Waiting] = []
        /// The outcome of moving the files.
        var outcome: Result<Void, StoreFailure> = .success(())
        let then: (Result<[String], StoreFailure>) -> Void

        /// Fails everything that waits, because neither the new nor the earlier state could be opened.
        func fail(_ failure: LocalFailure) {
            then(.failure(StoreFailure(.failed, failure.text)))
            for call in waiting { call(.failure(failure)) }
        }
    }

    /// Replaces the store with the state that was prepared in its folder; answers with the files that were replaced.
    ///
    /// Everything that uses the present state ends, and begins anew as when a node starts: sessions, activities,
    /// searches, the journal. Jobs that are still on their way to the store find it closed, so that no write that was
    /// named by the journal of one state gets into the other.
    func replaceStore(then: @escaping (Result<[String], StoreFailure>) -> Void) {
        guard case .open = state, let store, let account else {
            return then(.failure(StoreFailure(.failed, "the node is not ready for it")))
        }
        let sessions = node.sessions(of: self)
        var replacement = Replacement(carried: CarriedApps(of: account, sessions), then: then)
        let failure = LocalFailure(
            .storage, "A backup was put back meanwhile. The batch can't end any more; begin it anew.")
        for session in sessions { replacement.waiting += session.takeBack(losing: failure) }
        state = .replacing(replacement)
        stopServing(CloseReason(.startingOver, "a backup is put back on this device"), abandoning: nil)
        let folder = home.account()
        store.close { () throws(StoreFailure) in
            try StoreRestoration.decide(in: StoreFolder(path: folder))
        } then: { [self] outcome in
            guard case .replacing(var replacement) = state else { return }
            replacement.outcome = outcome
            state = .replacing(replacement)
            do throws(NetworkError) {
                // It is the new state by now, or still the earlier one if moving the files failed.
                try openStore()
            } catch {
                fail(LocalFailure(error, home))
            }
        }
    }

    /// Ends the replacement: the new state is open, or the earlier one again.
    func end(_ replacement: Replacement) {
        for call in replacement.waiting { serve(call) }
        let replaced = replaced
        replacement.then(replacement.outcome.map { replaced ?? [] })
    }
}

/// The connected apps, with what they began in a state of the account that is being replaced.
struct CarriedApps {
    private let sessions: [ClientSession]
    let registry = AppRegistry()
    private let begun: [OwnActivities.Carried]

    init(of account: AccountNode, _ sessions: [ClientSession]) {
        self.sessions = sessions
        begun = account.activities.carried
        registry.carry(account.registry, of: sessions)
    }

    /// The apps that are still connected.
    var present: [ClientSession] { sessions.filter { !$0.isClosed } }

    /// The activities of these apps.
    var activities: [OwnActivities.Carried] { begun.filter { !$0.session.isClosed } }
}
