package import BatonCore
import BatonNetwork
import BatonSecurity

/// The accounts of a home. Each account has a folder of its own.
extension Home {
    /// Returns the accounts in this home, sorted by name.
    ///
    /// An account counts if this device has an identity in it, whether the identity is complete or not.
    package func accounts() -> [AccountName] { accounts { FolderContents.names(in: $0) } }

    /// Returns this home with one of its accounts selected.
    ///
    /// Throws if the named account is not in this home, or if no account was named and there are several.
    package func standing() throws(LocalFailure) -> Home {
        let accounts = accounts()
        guard !accounts.isEmpty else { throw notInitialised }
        let account = meant(among: accounts)
        guard accounts.contains(account) else { throw unknownAccount(among: accounts) }
        return of(account)
    }

    /// Throws if the account to create exists already.
    ///
    /// If no account was named, any account in this home is a reason to throw. Otherwise, a command without a name
    /// could come to mean another account than before.
    func demandNoAccount() throws(LocalFailure) {
        let accounts = accounts()
        guard meant.map(accounts.contains) ?? !accounts.isEmpty else { return }
        let account = meant(among: accounts)
        let names = accounts.map { "“\($0)”" }.joined(separator: ", ")
        throw LocalFailure(
            .alreadyInitialised,
            "This home already has an account: \(names). See `baton status\(option)\(of(account).accountOption)`; "
                + "another account needs a name of its own, with --account NAME.")
    }

    /// Throws if this home already has a device in an account, under any name.
    ///
    /// Other devices could not tell two devices of the same account apart if both used the port of this node.
    func demandStrange(_ account: AccountIdentifier) throws(LocalFailure) {
        for name in accounts() where name != meant {
            // An account that can't be read can't be served next to the new account anyway.
            guard let credentials = try? of(name).credentials(), credentials.account == account else {
                continue
            }
            throw LocalFailure(
                .alreadyInitialised,
                "This machine already belongs to that account; here it is called “\(name)”.\n"
                    + "See `baton status\(option)\(of(name).accountOption)`.")
        }
    }

    /// The failure if this home has no account.
    var notInitialised: LocalFailure {
        LocalFailure(
            .notInitialised,
            "This home has no account. Type `baton init\(option)\(accountOption)` on the first machine of an account, "
                + "`baton join CODE\(option)\(accountOption)` to join one, or "
                + "`baton recover\(option)\(accountOption)` to return to one with its recovery code.")
    }

    /// Returns the failure if the named account is not in this home, or if no account was named and there are several.
    func unknownAccount(among accounts: [AccountName]) -> LocalFailure {
        let names = accounts.map { "“\($0)”" }.joined(separator: ", ")
        guard let meant else {
            return LocalFailure(
                .unknownAccount,
                "There are several accounts here: \(names).\nName one with --account NAME, or set BATON_ACCOUNT."
            )
        }
        return LocalFailure(
            .unknownAccount,
            "There is no account “\(meant)” here; "
                + (accounts.count == 1 ? "the only one is \(names).\n" : "the accounts are \(names).\n")
                + "See `baton accounts\(option)`; `baton init` and `baton join` add another one."
        )
    }
}
