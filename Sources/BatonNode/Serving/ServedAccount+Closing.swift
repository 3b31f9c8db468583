import BatonCore
import BatonNetwork
import BatonSecurity
import BatonStore

/// Ends an account, or replaces its state with another state.
///
/// An account ends with the node, before it, or because of a failure.
extension ServedAccount {
    /// Closes the connections to other devices, because the node stops.
    func stop() {
        store?.stopOpening()
        account?.stop()
    }

    /// Closes the account while the node keeps running.
    ///
    /// The other devices are told the reason, requests of apps fail, and the store is closed. When no file in the
    /// account's folder is open any more, the store's threads call `work`. `then` gets the outcome. If the node has no
    /// other account, it ends after that. If the folder remains, the account is still in the home, and is opened again
    /// when a client makes a call about it.
    func close(
        _ reason: CloseReason, doing work: @escaping @Sendable () throws(StoreFailure) -> Void = {},
        then: @escaping (Result<Void, StoreFailure>) -> Void
    ) {
        if case .closed = state { return then(.success(())) }
        let failure = LocalFailure(
            .unknownAccount, "The account “\(name)” is no longer available on this machine: \(reason.text).")
        let before = state
        state = .closed
        log.tell("account closed: \(reason.text)")
        stopServing(reason, abandoning: failure)
        // A backup must end first, because it reads files that `work` may delete.
        finishBackups()
        switch before {
        case .opening(let waiting): for call in waiting { call(.failure(failure)) }
        case .replacing(let replacement): replacement.fail(failure)
        case .open, .failed, .closed: break
        }
        closeStore(doing: work) { [self] outcome in
            // The caller gets the outcome first, because the node ends if it has no other account.
            then(outcome)
            node.accountClosed(self)
        }
    }

    /// Makes this device leave the account: closes the account, and deletes its files on this machine.
    ///
    /// The result is the path of the files that could not be deleted; nil if all were deleted.
    func leave(then: @escaping (Result<String?, LocalFailure>) -> Void) {
        guard case .open = state else {
            return then(.failure(LocalFailure(.failed, "The account is not ready yet. Try again.")))
        }
        let left = LeftAccount(home)
        close(CloseReason(.goingAway, "this device has left the account")) { () throws(StoreFailure) in
            try left.leave()
            left.clear()
        } then: { [log] outcome in
            switch outcome {
            case .success:
                log.tell("deleted the data of the account on this machine")
                then(.success(left.remains))
            case .failure(let failure):
                let failure = LocalFailure(
                    .storage,
                    "This machine could not leave the account: \(failure). It is still in the account.")
                log.warn("\(failure)")
                then(.failure(failure))
            }
        }
    }

    /// Ends the threads of the account.
    ///
    /// Returns when all jobs of the store are done and the threads have ended.
    func finish() {
        state = .closed
        finishBackups()
        search?.finish()
        store?.finish()
    }

    /// Holds a reference to an account that is closing its connections.
    ///
    /// The reference is released when the connections have ended and nothing calls the account any more.
    func part(with account: AccountNode, _ search: SearchThread?) {
        parting.append((account, search))
        disposeLater(account, search)
    }

    private func disposeLater(_ account: AccountNode, _ search: SearchThread?) {
        loop.schedule(after: limits.connectingTime + limits.openingTime + limits.closingTime) { [self] in
            guard account.peers.isQuiet, closing == 0 else { return disposeLater(account, search) }
            parting.removeAll { $0.account === account }
            search?.dispose()
            account.core.store.dispose()
        }
    }

    // MARK: Failing

    /// Stops serving the account until a client makes a call about it.
    ///
    /// All pending requests fail with the reason.
    func fail(_ failure: LocalFailure) {
        let before = state
        state = .failed(failure)
        stopServing(CloseReason(.goingAway, "this device can't open the account"), abandoning: failure)
        closeStore()
        switch before {
        case .opening(let waiting): for call in waiting { call(.failure(failure)) }
        case .replacing(let replacement): replacement.fail(failure)
        case .open, .failed, .closed: break
        }
        node.accountFailed(self)
    }

    /// Ends everything that uses the present state: sessions with devices, requests of apps, and searches.
    ///
    /// If `failure` is nil, the activities and waiting calls of apps continue in another state.
    func stopServing(_ reason: CloseReason, abandoning failure: LocalFailure?) {
        if let failure { for session in node.clients.sessions(of: self) { session.abandon(failure) } }
        (rescues, replaced) = ([], nil)
        guard let account else { return }
        self.account = nil
        node.localNetworks?.remove(account.core.credentials.account)
        node.contextsChanged()
        account.stop(reason)
        search?.close()
        part(with: account, search)
        search = nil
    }

    /// Closes the store, if one is open, and then does some work while none of its files is open.
    ///
    /// `then` gets the outcome of the work.
    func closeStore(
        doing work: @escaping @Sendable () throws(StoreFailure) -> Void = {},
        then: @escaping (Result<Void, StoreFailure>) -> Void = { _ in }
    ) {
        guard let store else { return then(Result(catching: work)) }
        self.store = nil
        // Later reports of this store are ignored.
        opening += 1
        closing += 1
        store.close(work) { [self] outcome in
            // An account that is closing its connections may still use the store for a while. It gets failures, because
            // the store is closed.
            let isParting = parting.contains { $0.account.core.store === store }
            loop.afterTurn { [self] in
                if !isParting { store.dispose() }
                closing -= 1
                then(outcome)
                if case .opening = state, closing == 0 { begin() }
            }
        }
    }

    /// Stops a backup or a restoration that is under way.
    ///
    /// Returns when the thread for backups has ended.
    func finishBackups() {
        backups?.finish()
        backups = nil
    }

    // MARK: Replacing the state

    /// The replacement of the state that is under way, and everything that waits for its end.
    struct Replacement {
        /// The connections that used the earlier state.
        let sessions: [ClientSession]
        /// The activities and registrations of connected apps that began in the earlier state.
        let carried: CarriedApps
        /// The calls that wait for the end of the replacement.
        var waiting: [Requests.Waiting] = []
        /// The outcome of moving the files.
        var outcome: Result<Void, StoreFailure> = .success(())
        let then: (Result<[String], StoreFailure>) -> Void

        /// Makes the connections that are still open continue with the new state.
        func goOn(with requests: Requests) {
            for session in sessions where !session.isClosed { session.goOn(with: requests) }
        }

        /// Makes everything that waits fail, because neither the new state nor the earlier one could be opened.
        func fail(_ failure: LocalFailure) {
            then(.failure(StoreFailure(.failed, failure.text)))
            for call in waiting { call(.failure(failure)) }
        }
    }

    /// Replaces the store with the state that was prepared in the store's folder.
    ///
    /// The result has the paths of the files that were replaced.
    ///
    /// Everything that uses the present state ends and begins again, as when a node starts: sessions, activities,
    /// searches, and the journal. Jobs that are still on their way to the store find the store closed. Otherwise, a
    /// write that the journal of one state has named could get into the other state.
    func replaceStore(then: @escaping (Result<[String], StoreFailure>) -> Void) {
        guard case .open = state, let store, let account else {
            return then(.failure(StoreFailure(.failed, "the account is not ready yet")))
        }
        let sessions = node.clients.sessions(of: self)
        let carried = CarriedApps(of: account.activityParts, sessions.map(\.events))
        var replacement = Replacement(sessions: sessions, carried: carried, then: then)
        let failure = LocalFailure(
            .storage,
            "A backup was restored in the meantime, so the batch can't be completed. Start it again.")
        for session in sessions { replacement.waiting += session.takeBack(losing: failure) }
        state = .replacing(replacement)
        stopServing(CloseReason(.startingOver, "a backup is being restored on this device"), abandoning: nil)
        let folder = home.account()
        store.close { () throws(StoreFailure) in
            try StoreRestoration.decide(in: StoreFolder(path: folder))
        } then: { [self] outcome in
            guard case .replacing(var replacement) = state else { return }
            replacement.outcome = outcome
            state = .replacing(replacement)
            do throws(NetworkError) {
                // This opens the new state. If moving the files failed, it opens the earlier state.
                try openStore()
            } catch {
                fail(LocalFailure(error, home))
            }
        }
    }

    /// Ends the replacement, because the new state or the earlier one is open now.
    func end(_ replacement: Replacement) {
        for call in replacement.waiting { serve(call) }
        let replaced = replaced
        replacement.then(replacement.outcome.map { replaced ?? [] })
    }
}
