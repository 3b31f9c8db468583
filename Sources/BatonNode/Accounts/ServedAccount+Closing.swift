import BatonCore
import BatonNetwork
import BatonStore

/// How an account ends: with the node, before it, or because it can't go on.
extension ServedAccount {
    /// Says goodbye to the other devices, because the node stops.
    func stop() {
        store?.stopOpening()
        account?.stop()
    }

    /// Closes the account for good, while the node goes on.
    ///
    /// The other devices hear the reason, what apps have begun fails, and the store is closed; then `work` is done by
    /// the store's threads, as nothing of its folder is open any more. `then` hears what came of that; a node that has
    /// no other account ends after it. If the folder stays, the account stands there as before, and is opened again by
    /// whoever asks for it.
    func close(
        _ reason: CloseReason, doing work: @escaping @Sendable () throws(StoreFailure) -> Void = {},
        then: @escaping (Result<Void, StoreFailure>) -> Void
    ) {
        if case .closed = state { return then(.success(())) }
        let failure = LocalFailure(
            .unknownAccount, "The account “\(name)” is not served on this machine any more: \(reason.text).")
        let before = state
        state = .closed
        log.tell("the account is closed: \(reason.text)")
        stopServing(reason, abandoning: failure)
        // It reads the files that may go.
        finishBackups()
        switch before {
        case .opening(let waiting): for call in waiting { call(.failure(failure)) }
        case .replacing(let replacement): replacement.fail(failure)
        case .open, .failed, .closed: break
        }
        closeStore(doing: work) { [self] outcome in
            // Whoever asked hears it before the node ends, if it has no other account.
            then(outcome)
            node.accountClosed(self)
        }
    }

    /// Has this device leave the account: closes it, and deletes what is here of it; answers with what could not be.
    func leave(then: @escaping (Result<String?, LocalFailure>) -> Void) {
        guard case .open = state else {
            return then(.failure(LocalFailure(.failed, "The account is not ready for it. Try again.")))
        }
        let left = LeftAccount(home)
        close(CloseReason(.goingAway, "this device has left the account")) { () throws(StoreFailure) in
            try left.leave()
            left.clear()
        } then: { [log] outcome in
            switch outcome {
            case .success:
                log.tell("what was here of the account is deleted")
                then(.success(left.remains))
            case .failure(let failure):
                let failure = LocalFailure(
                    .storage, "This machine could not leave: \(failure). It is still in the account.")
                log.warn("\(failure)")
                then(.failure(failure))
            }
        }
    }

    /// Returns when all that was asked of the store is done and its threads have ended.
    func finish() {
        state = .closed
        finishBackups()
        search?.finish()
        store?.finish()
    }

    /// Keeps what says goodbye until it has, and nothing calls it any more.
    func part(with account: AccountNode, _ search: SearchThread?) {
        parting.append((account, search))
        disposeLater(account, search)
    }

    private func disposeLater(_ account: AccountNode, _ search: SearchThread?) {
        loop.schedule(after: limits.connectingTime + limits.openingTime + limits.closingTime) { [self] in
            guard account.peers.isQuiet, closing == 0 else { return disposeLater(account, search) }
            parting.removeAll { $0.account === account }
            search?.dispose()
            account.store.dispose()
        }
    }

    // MARK: Failing

    /// Gives the account up, until somebody asks for it again: all that waits for it hears why.
    func fail(_ failure: LocalFailure) {
        let before = state
        state = .failed(failure)
        stopServing(CloseReason(.goingAway, "the account can't be served"), abandoning: failure)
        closeStore()
        switch before {
        case .opening(let waiting): for call in waiting { call(.failure(failure)) }
        case .replacing(let replacement): replacement.fail(failure)
        case .open, .failed, .closed: break
        }
        node.accountFailed(self)
    }

    /// Ends all that knows the present state: sessions with devices, what apps have begun, searches.
    ///
    /// Without a failure what apps have begun goes on with another state.
    func stopServing(_ reason: CloseReason, abandoning failure: LocalFailure?) {
        if let failure { for session in node.sessions(of: self) { session.abandon(failure) } }
        (rescues, replaced) = ([], nil)
        guard let account else { return }
        self.account = nil
        node.contextsChanged()
        account.stop(reason)
        search?.close()
        part(with: account, search)
        search = nil
    }

    /// Closes the store, if one is open, and does some work where nothing of it is open; `then` hears what came of that.
    func closeStore(
        doing work: @escaping @Sendable () throws(StoreFailure) -> Void = {},
        then: @escaping (Result<Void, StoreFailure>) -> Void = { _ in }
    ) {
        guard let store else { return then(Result(catching: work)) }
        self.store = nil
        // What it tells from now on is of no account any more.
        opening += 1
        closing += 1
        store.close(work) { [self] outcome in
            // Who says goodbye may ask it for a while, and hears that it is closed.
            let isParting = parting.contains { $0.account.store === store }
            loop.afterTurn { [self] in
                if !isParting { store.dispose() }
                closing -= 1
                then(outcome)
                if case .opening = state, closing == 0 { begin() }
            }
        }
    }

    /// Stops a backup that is under way, and returns when its thread has ended.
    func finishBackups() {
        backups?.finish()
        backups = nil
    }
}
