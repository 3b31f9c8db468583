import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton accounts`: lists the accounts of this machine.
enum Accounts {
    static var specification: CommandSpecification {
        CommandSpecification(
            "accounts", "List your accounts on this machine.", isOfAccount: false,
            notes: [
                "`baton init --account NAME` creates another one, and",
                "`baton join CODE --account NAME` joins one. Commands use the only account, or",
                "the one called `default`, unless you name another with --account NAME.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        var node = try call.connectToNode()
        let accounts = try node.ask(ListAccounts()).accounts
        if call.isJSON {
            call.console.print(.object([.init("accounts", .array(accounts.map { JSON($0) }))]))
        } else {
            let list = AccountList(accounts)
            call.console.print(list.table)
            for line in list.troubles { call.console.print(line) }
        }
    }
}
