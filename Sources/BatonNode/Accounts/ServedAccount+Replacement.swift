import BatonCore
import BatonNetwork
import BatonStore

/// How another state takes the place of the one that is served.
extension ServedAccount {
    /// What waits for another state.
    struct Replacement {
        /// The activities and waits that connected apps began with the state before.
        let carried: CarriedApps
        /// What apps and commands ask meanwhile.
        var waiting: [Waiting] = []
        /// How the files changed their places.
        var outcome: Result<Void, StoreFailure> = .success(())
        let then: (Result<[String], StoreFailure>) -> Void

        /// There is no state to be asked, neither the other one nor the one before.
        func fail(_ failure: LocalFailure) {
            then(.failure(StoreFailure(.failed, failure.text)))
            for call in waiting { call(.failure(failure)) }
        }
    }

    /// Has what was put together in the store's folder take the place of the store; answers with what was set aside.
    ///
    /// Everything that knows the present state ends, and begins anew as it does when a node starts: sessions,
    /// activities, searches, the journal. Whatever is still on its way to the store finds it closed, so that nothing
    /// that was named by the journal of one state comes to the other.
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
                // Whichever of the two it is by now.
                try openStore()
            } catch {
                fail(LocalFailure(error, home))
            }
        }
    }

    /// The other state is open, or the one before again.
    func end(_ replacement: Replacement) {
        for call in replacement.waiting { serve(call) }
        let replaced = replaced
        replacement.then(replacement.outcome.map { replaced ?? [] })
    }
}

/// The connected apps, and what they began with a state of the account that another one takes the place of.
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

    /// Their activities.
    var activities: [OwnActivities.Carried] { begun.filter { !$0.session.isClosed } }
}
