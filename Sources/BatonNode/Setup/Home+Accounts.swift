package import BatonCore
import BatonNetwork
import BatonSecurity

/// The accounts of a home, each in a folder of its own.
extension Home {
    /// The accounts that stand here, in order: those in which this device has an identity, whole or not.
    package func accounts() -> [AccountName] { accounts { FolderContents.names(in: $0) } }

    /// The same home, where one of the accounts that stand here is meant; it throws if the one that was named does not,
    /// or none was named and several stand here.
    package func standing() throws(LocalFailure) -> Home {
        let accounts = accounts()
        guard !accounts.isEmpty else { throw notInitialised }
        let account = meant(among: accounts)
        guard accounts.contains(account) else { throw unknownAccount(among: accounts) }
        return of(account)
    }

    /// Refuses to make an account where one stands: the one that is meant, or any if none was named, as what is meant
    /// without a name must not come to be another one.
    func demandNoAccount() throws(LocalFailure) {
        let accounts = accounts()
        guard meant.map(accounts.contains) ?? !accounts.isEmpty else { return }
        let account = meant(among: accounts)
        let names = accounts.map { "“\($0)”" }.joined(separator: ", ")
        throw LocalFailure(
            .alreadyInitialised,
            "This home holds an account already: \(names). `baton status\(option)\(of(account).accountOption)` tells about it; "
                + "another account needs a name of its own, with --account NAME.")
    }

    /// Refuses to join an account of which this home has a device already, under whatever name: a port could not tell
    /// them apart.
    func demandStrange(_ account: AccountIdentifier) throws(LocalFailure) {
        for name in accounts() where name != meant {
            // One that can't be read is of no account that could be served beside it.
            guard let credentials = try? of(name).credentials(), credentials.account == account else {
                continue
            }
            throw LocalFailure(
                .alreadyInitialised,
                "This machine belongs to that account already; here it is called “\(name)”.\n"
                    + "`baton status\(option)\(of(name).accountOption)` tells about it.")
        }
    }

    /// There is no account here.
    var notInitialised: LocalFailure {
        LocalFailure(
            .notInitialised,
            "This home holds no account. Type `baton init\(option)\(accountOption)` on the first machine of an account, "
                + "`baton join CODE --at HOST:PORT\(option)\(accountOption)` to join one, or "
                + "`baton recover\(option)\(accountOption)` to come back into one by its recovery code.")
    }

    /// The account that is meant is not among those that are here.
    func unknownAccount(among accounts: [AccountName]) -> LocalFailure {
        let names = accounts.map { "“\($0)”" }.joined(separator: ", ")
        guard let meant else {
            return LocalFailure(
                .unknownAccount,
                "There are several accounts here: \(names).\nSay which one is meant with --account NAME, or set BATON_ACCOUNT."
            )
        }
        return LocalFailure(
            .unknownAccount,
            "There is no account “\(meant)” here, but \(names).\n"
                + "`baton accounts\(option)` tells about them; `baton init` and `baton join` make another one."
        )
    }
}
