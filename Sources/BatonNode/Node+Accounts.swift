import BatonCore
import BatonNetwork
import BatonSecurity

/// The accounts that a node serves.
extension Node {
    /// Begins to serve the accounts of the home that are not served yet: all of them when the node starts, and later
    /// those that were made or joined since.
    ///
    /// A command makes or joins an account with files alone, in a folder that gets its final name once it is complete.
    /// So nothing is ever half done, whichever process is killed, and the node finds new accounts by looking.
    func takeUpAccounts() {
        guard !isStopping else { return }
        let served = Set(accounts.map(\.name))
        let new = home.accounts().filter { !served.contains($0) }
            .map { ServedAccount(home, $0, surroundings, log: log, of: self) }
        guard !new.isEmpty else { return }
        accounts = (accounts + new).sorted { $0.name < $1.name }
        for account in new { account.open() }
    }

    /// Returns the account that a client named, or the one that is meant if the client named none.
    func account(named text: String?) throws(LocalFailure) -> ServedAccount {
        let named = try text.map { (text) throws(LocalFailure) in try AccountName(text) }
        // The account with the usual name is always meant, so the others need not be looked at.
        if let account = find(named ?? .usual) { return account }
        takeUpAccounts()
        let home = home.of(named)
        let names = accounts.map(\.name)
        guard !names.isEmpty else { throw home.notInitialised }
        guard let account = find(home.meant(among: names)) else { throw home.unknownAccount(among: names) }
        return account
    }

    private func find(_ name: AccountName) -> ServedAccount? { accounts.first { $0.name == name } }

    /// The status of each account.
    var accountStatus: [AccountStatus] {
        let usual = home.meant(among: accounts.map(\.name))
        return accounts.map { served in
            let others = served.account?.deviceStatus.others ?? []
            let devices = others.filter { $0.revocation == nil && !$0.hasLeft }
            return AccountStatus(
                name: served.name.text,
                isDefault: served.name == usual,
                account: served.credentials?.account, devices: served.account == nil ? 0 : devices.count + 1,
                connected: devices.count(where: \.isConnected), trouble: served.failure?.text)
        }
    }
}

/// Messages and requests of the accounts to their node.
extension Node {
    /// Called when an account is served from now on, also after it was opened again.
    func accountOpened(_ account: ServedAccount) {
        startListening()
        if !accounts.contains(where: \.isOpening) { StartingCode.letGo() }
    }

    /// Called when an account can't be served, or not any more; its state has the reason.
    ///
    /// Other accounts are served all the same. The node fails if there is no account left.
    func accountFailed(_ account: ServedAccount) {
        // An opening that was stopped because the node stops is no failure.
        guard let failure = account.failure, !isStopping else { return }
        guard accounts.contains(where: { $0.failure == nil || $0.triesAgain }) else { return fail(failure) }
        if account.loggedFailure != failure.text { account.log.warn("the account is not served: \(failure)") }
        account.loggedFailure = failure.text
        // A client that asks gets the reason.
        if account.triesAgain { startListening() }
    }

    /// Called when an account has closed all its files for good.
    func accountClosed(_ account: ServedAccount) {
        accounts.removeAll { $0 === account }
        if accounts.isEmpty {
            log.tell("no account is left here, and the node ends")
            stop()
        } else if let failure = accounts.first?.failure, accounts.allSatisfy({ $0.failure != nil }) {
            fail(failure)
        }
    }

    /// Makes new handshakes use the present contexts of the accounts; handshakes that are under way go on as they
    /// began.
    func contextsChanged() {
        let contexts = accounts.compactMap(\.account?.context)
        do throws(SecurityError) {
            doorkeeper.server = contexts.isEmpty ? nil : try TLSServer(contexts)
        } catch {
            // Without a context for the new accounts the node must not go on with the old contexts.
            doorkeeper.server = nil
            log.warn("connections can't be taken: \(error)")
        }
    }

    /// Returns the name under which that account is served already.
    func name(of identifier: AccountIdentifier, besides account: ServedAccount) -> AccountName? {
        accounts.first { $0 !== account && $0.credentials?.account == identifier && $0.isServedOrOpening }?
            .name
    }

    /// Returns the name of another account with an open invitation.
    func invites(besides account: ServedAccount) -> AccountName? {
        accounts.first { $0 !== account && $0.account?.reception.invitation != nil }?.name
    }

    /// Returns the sessions of connected apps and commands that use an account.
    func sessions(of account: ServedAccount) -> [ClientSession] {
        clients.values.filter { $0.account === account }.map(\.session)
    }
}
