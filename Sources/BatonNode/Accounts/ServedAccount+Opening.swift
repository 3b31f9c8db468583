import BatonCore
import BatonNetwork
import BatonSecurity
import BatonStore

/// Opens an account and begins to serve it.
extension ServedAccount {
    /// Reads the identity of this device, and opens the store; the node is told the outcome.
    ///
    /// The keys are a few small files, which are read at once, when the node starts or a person adds an account.
    func open() {
        state = .opening(waiting: [])
        // A store that an earlier attempt left open is closed first.
        if closing == 0 { begin() }
    }

    func begin() {
        do throws(LocalFailure) {
            let credentials = try home.credentials()
            if let other = node.name(of: credentials.account, besides: self) {
                throw LocalFailure(
                    .failed,
                    "“\(name)” is the same account as “\(other)”, and nobody could tell which one is meant. "
                        + "Move one of the folders \(home.account()) and \(home.of(other).account()) away."
                )
            }
            self.credentials = credentials
            do throws(NetworkError) { try openStore() } catch { throw LocalFailure(error, home) }
        } catch {
            fail(error)
        }
    }

    /// Opens the store in the account's folder, whichever state is there.
    func openStore() throws(NetworkError) {
        guard let credentials else { preconditionFailure("a store is opened by who knows whose it is") }
        let witness = try Witness(home, credentials)
        if let trouble = home.witnessTrouble {
            log.warn("\(trouble) Until then each start of the node begins a new life of its journal.")
        }
        opening += 1
        let store = try StoreThreads(
            folder: home.account(), account: credentials.account, witness: witness,
            logBytes: limits.logBytes, on: loop
        ) { [weak self, opening] result in
            guard let self, self.opening == opening else { return }
            switch result {
            case .success(let opening):
                search?.reopen()
                if let replaced = opening.replaced { self.replaced = replaced }
                if opening.isReadOnly { reopenLater() }
                if opening.wasReadOnly { log.tell("the disk of the account “\(name)” can be written again") }
                if let account { account.handle(opening) } else { rescues += opening.rescues }
            case .failure(let failure): failOpening(failure)
            }
        } rescuing: { [log] progress in
            log.tell(StoreTroubles.text(progress))
        }
        self.store = store
        readContents(of: store, witness)
    }

    /// Gives the account up; if the disk is full or can't be written, the account is opened again after a while.
    private func failOpening(_ failure: StoreFailure) {
        triesAgain = failure.code == .full || failure.code == .readOnly
        fail(LocalFailure(opening: failure, home))
        guard triesAgain else { return }
        diskTimer.set(after: limits.diskPause) { [unowned self] in
            if triesAgain, self.failure != nil { open() }
        }
    }

    /// Opens a read-only store for writing once its disk allows it.
    private func reopenLater() {
        diskTimer.set(after: limits.diskPause) { [unowned self, opening] in reopen(opening) }
    }

    private func reopen(_ opening: Int) {
        guard self.opening == opening, let store else { return }
        store.reopen { [weak self] result in
            guard let self, self.opening == opening else { return }
            switch result {
            case .done: break
            case .postponed: reopenLater()
            case .failed:
                // SQLite lets no connection of the process write while an older reader stays open.
                search?.finish()
                reopenLater()
            }
        }
    }

    /// How many times the contents are read while damage is found: once more than the largest number of rescues.
    private static var readingAttemptsMost: Int { StoreHolder.rescuesMost + 1 }

    private func readContents(of store: StoreThreads, _ witness: Witness, attempt: Int = 1) {
        guard let device = credentials?.device else { return }
        store.submitToAccount { (store) throws(StoreFailure) in
            try AccountNode.Contents(store, of: device, witness)
        } then: { [self, opening] result in
            guard self.opening == opening, isOpening else { return }
            switch result {
            case .success(let contents): serve(contents, store)
            // The damaged lane is rescued by now; the lanes may be found damaged one after the other.
            case .failure(let failure) where failure.code == .damaged && attempt < Self.readingAttemptsMost:
                readContents(of: store, witness, attempt: attempt + 1)
            case .failure(let failure): failOpening(failure)
            }
        }
    }

    private func serve(_ contents: AccountNode.Contents, _ store: StoreThreads) {
        guard let credentials else { return }
        do {
            let account = try AccountNode(
                credentials, in: home, store: store, contents: contents,
                port: surroundings.addresses.first?.port ?? Home.port, resolver: surroundings.resolver,
                isOwn: surroundings.isOwn,
                on: loop, limits: limits, log: log)
            account.contextChanged = { [unowned self] in credentialsChanged() }
            account.ending = { [unowned self] then in leave(then: then) }
            let lacksChanges = contents.opening.lacksChanges && replaced == nil
            account.storeTroubles = StoreTroubles(folder: home.account(), lacksChanges: lacksChanges)
            account.storeTroubles?.isRestored = replaced != nil
            self.account = account
            (triesAgain, loggedFailure) = (false, nil)
            if let trouble = DiskTrouble(of: home.account()) {
                let failure = StoreFailure(trouble.code, "seen as the node started")
                account.storeTroubles?.note(failure)
                log.warn("trouble: \(account.storeTroubles?.texts.last ?? failure.text)")
            }
            account.note(rescues)
            if let replaced {
                log.tell(
                    "a backup was put back; what was here before is \(replaced.joined(separator: " and "))")
            }
            if lacksChanges, rescues.isEmpty { log.warn("trouble: \(StoreTroubles.setBackText)") }
            let search = SearchThread(folder: home.account(), store: store, on: loop, log: log)
            self.search = search
            let backups = self.backups ?? Backups(self, credentials)
            self.backups = backups
            let before = state
            state = .open(Requests(of: self, account: account, search: search, backups: backups))
            node.contextsChanged()
            account.start(carrying: before.carried)
            search.fill()
            switch before {
            case .opening(let waiting):
                node.accountOpened(self)
                let devices = account.deviceStatus.others.count { $0.revocation == nil && $0.removed == nil }
                let (others, activities) = (devices == 1 ? "device" : "devices", contents.activities.count)
                log.tell(
                    "account \(credentials.account.short): \(devices) other \(others), "
                        + "\(activities) \(activities == 1 ? "activity" : "activities")")
                log.tell(
                    "“\(credentials.deviceName)” (\(credentials.device.short)) is listening on \(surroundings.listening)"
                )
                for call in waiting { serve(call) }
            case .replacing(let replacement): end(replacement)
            case .open, .failed, .closed: preconditionFailure("only what opens is served")
            }
        } catch {
            fail(LocalFailure(.failed, "The account “\(name)” can't be served: \(error)"))
        }
    }
}
