import BatonCore
import BatonNetwork
import BatonStore

/// How another state takes the place of the one that a node serves.
extension Node {
    /// What waits for another state.
    struct Replacement {
        /// What apps and commands ask meanwhile.
        var requests: [(LocalRequest, AppSession, (LocalAnswer) -> Void)] = []
        /// How the files changed their places.
        var outcome: Result<Void, StoreFailure> = .success(())
        let then: (Result<[String], StoreFailure>) -> Void
    }

    /// Has what was put together in the store's folder take the place of the store; answers with what was set aside.
    ///
    /// Everything that knows the present state ends, and begins anew as it does when a node starts: sessions,
    /// activities, searches, the journal. Whatever is still on its way to the store finds it closed, so that nothing
    /// that was named by the journal of one state comes to the other.
    func replaceStore(then: @escaping (Result<[String], StoreFailure>) -> Void) {
        guard let account, let store, replacement == nil, !isStopping else {
            return then(.failure(StoreFailure(.failed, "the node is not ready for it")))
        }
        replacement = Replacement(then: then)
        (self.account, requests, rescues, replaced) = (nil, nil, [], nil)
        for session in sessions.values { session.abandon() }
        account.stop(CloseReason(.startingOver, "a backup is put back on this device"))
        search?.close()
        part(with: account, search)
        search = nil
        let folder = home.account()
        store.close { () throws(StoreFailure) in
            try StoreRestoration.decide(in: StoreFolder(path: folder))
        } then: { [unowned self] outcome in
            replacement?.outcome = outcome
            do throws(NetworkError) {
                // Whichever of the two it is by now.
                try openStore()
            } catch {
                fail(LocalFailure(error, home))
            }
        }
    }

    /// The other state is open, or the one before again.
    func endReplacement() {
        guard let ended = replacement else { return }
        replacement = nil
        for (request, session, answer) in ended.requests { handle(request, of: session, answer) }
        let replaced = replaced
        ended.then(ended.outcome.map { replaced ?? [] })
    }

    /// Keeps what says goodbye until it has, and nothing calls it any more.
    private func part(with account: AccountNode, _ search: Search?) {
        parting.append((account, search))
        loop.schedule(after: limits.connectingTime + limits.openingTime + limits.closingTime) {
            [unowned self] in
            parting.removeAll { $0.account === account }
            guard account.peers.isQuiet else { return part(with: account, search) }
            search?.dispose()
            account.store.dispose()
        }
    }
}
