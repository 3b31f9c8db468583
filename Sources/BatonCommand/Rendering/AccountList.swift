package import BatonCore
package import BatonTerminal

/// Shows the accounts of this machine to a person.
package struct AccountList {
    private let accounts: [AccountStatus]

    package init(_ accounts: [AccountStatus]) { self.accounts = accounts }

    /// A table that has a row for each account.
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

    /// Sentences about the accounts that the node does not serve.
    package var troubles: [VisibleText] {
        accounts.compactMap { account in
            account.trouble.map { "trouble with \(account.name): \($0)" }
        }
    }
}
