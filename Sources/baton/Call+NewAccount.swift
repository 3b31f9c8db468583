import BatonClient
import BatonCore

/// What becomes of an account that was just made or joined.
extension Call {
    /// Has the node that runs here serve the account, and says whether it does; nothing if none runs.
    ///
    /// The account stands in the home whatever comes of this: a node finds it there when it is next asked for it.
    func nodeTakesUpAccount() -> VisibleText? {
        do throws(LocalFailure) {
            let name = try home().meant ?? .usual
            var node = try connectToNode()
            let account = try node.ask(ListAccounts()).accounts.first { $0.name == name.text }
            guard let account, account.trouble == nil else {
                return "The node that runs here can't serve it: \(account?.trouble ?? "it does not see it.")"
            }
            return "The node that runs here serves it."
        } catch {
            return error.code == .noNode
                ? nil
                : "The node that runs here could not be told, and serves it once it is asked for it: \(error.text)"
        }
    }
}
