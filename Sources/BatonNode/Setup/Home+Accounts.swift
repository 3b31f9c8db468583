package import BatonCore
import BatonNetwork
import BatonSecurity

/// The accounts of a home, each in a folder of its own.
extension Home {
    /// Returns the accounts in this home, in order: those in which this device has an identity, complete or not.
    package func accounts() -> [AccountName] { accounts { FolderContents.names(in: $0) } }

    /// Returns this home with one of its accounts selected; throws if the named account is not here, or if none was
    /// named and there are several.
    package func standing() throws(LocalFailure) -> Home {
        let accounts = accounts()
        guard !accounts.isEmpty else { throw notInitialised }
        let account = meant(among: accounts)
        guard accounts.contains(account) else { throw unknownAccount(among: accounts) }
        return of(account)
    }

    /// Refuses to make an account that exists: the named one, or any if none was named, because a command without a
    /// name must not come to mean another account.
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

    /// Refuses to join an account in which this home has a device already, under any name: a port could not tell the
    /// two apart.
    func demandStrange(_ account: AccountIdentifier) throws(LocalFailure) {
        for name in accounts() where name != meant {
            // An account that can't be read could not be served beside the new one anyway.
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

    /// The failure if the named account is not in this home.
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
