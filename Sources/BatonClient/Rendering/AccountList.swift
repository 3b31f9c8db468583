package import BatonCore

/// The accounts of a machine, as a person sees them.
package struct AccountList {
    private let accounts: [AccountStatus]

    package init(_ accounts: [AccountStatus]) { self.accounts = accounts }

    /// A row an account.
    package var table: Table {
        var table = Table([.init("ACCOUNT", least: 8), .init("ID"), .init("DEVICES"), .init("CONNECTED")])
        for account in accounts {
            let isServed = account.trouble == nil
            table.add([
                VisibleText(account.name + (account.isDefault ? " (default)" : "")),
                VisibleText(account.account?.short ?? "?"),
                isServed ? "\(String(account.devices))" : "?",
                isServed ? "\(String(account.connected))" : "not served",
            ])
        }
        return table
    }

    /// What a person should know of those that are not served.
    package var troubles: [VisibleText] {
        accounts.compactMap { account in
            account.trouble.map { "trouble with \(account.name): \($0)" }
        }
    }
}
