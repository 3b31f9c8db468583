import BatonCore
import BatonNetwork
import BatonSecurity

/// Which accounts a node serves.
extension Node {
    /// Begins to serve the accounts that stand in the home and are not served yet: all of them as the node starts, and
    /// what was made or joined since.
    ///
    /// Who makes an account, or joins one, does so with files alone, in a folder that stands there once all is in it. So
    /// nothing is half done, whoever is killed when; and the node need not be told what to open, only to look.
    func takeUpAccounts() {
        guard !isStopping else { return }
        let served = Set(accounts.map(\.name))
        let new = home.accounts().filter { !served.contains($0) }
            .map { ServedAccount(home, $0, surroundings, log: log, of: self) }
        guard !new.isEmpty else { return }
        accounts = (accounts + new).sorted { $0.name < $1.name }
        for account in new { account.open() }
    }

    /// The account that a client named, or that is meant where none was named.
    func account(named text: String?) throws(LocalFailure) -> ServedAccount {
        let named = try text.map { (text) throws(LocalFailure) in try AccountName(text) }
        // The one with the usual name is meant whatever else stands there, so nobody need look.
        if let account = find(named ?? .usual) { return account }
        takeUpAccounts()
        let home = home.of(named)
        let names = accounts.map(\.name)
        guard !names.isEmpty else { throw home.notInitialised }
        guard let account = find(home.meant(among: names)) else { throw home.unknownAccount(among: names) }
        return account
    }

    private func find(_ name: AccountName) -> ServedAccount? { accounts.first { $0.name == name } }

    /// What there is to tell of each account.
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

/// What its accounts tell the node, and ask of it.
extension Node {
    /// The account is served from now on, anew if it was before.
    func accountOpened(_ account: ServedAccount) {
        startListening()
        if !accounts.contains(where: \.isOpening) { StartingCode.letGo() }
    }

    /// The account can't be served, or not any more; its state says why.
    ///
    /// Other accounts are served all the same. The node fails if there is none.
    func accountFailed(_ account: ServedAccount) {
        // An opening that was ended because the node stops is no failure.
        guard let failure = account.failure, !isStopping else { return }
        guard accounts.contains(where: { $0.failure == nil || $0.triesAgain }) else { return fail(failure) }
        if account.loggedFailure != failure.text { account.log.warn("the account is not served: \(failure)") }
        account.loggedFailure = failure.text
        // A client that asks hears why.
        if account.triesAgain { startListening() }
    }

    /// Nothing of the account is open any more, and it stays closed.
    func accountClosed(_ account: ServedAccount) {
        accounts.removeAll { $0 === account }
        if accounts.isEmpty {
            log.tell("no account is left here, and the node ends")
            stop()
        } else if let failure = accounts.first?.failure, accounts.allSatisfy({ $0.failure != nil }) {
            fail(failure)
        }
    }

    /// New handshakes use the contexts that the accounts have now; those under way go on as they began.
    func contextsChanged() {
        let contexts = accounts.compactMap(\.account?.context)
        do throws(SecurityError) {
            doorkeeper.server = contexts.isEmpty ? nil : try TLSServer(contexts)
        } catch {
            // A node that can't answer for the new accounts must not answer for the old ones.
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

    /// Returns what connections of apps and commands have begun with the account.
    func sessions(of account: ServedAccount) -> [ClientSession] {
        clients.values.filter { $0.account === account }.map(\.session)
    }
}
