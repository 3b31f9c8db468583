import Support
import Testing

extension Machine {
    /// Types a command about one of its accounts, which must succeed, and returns what it printed.
    @discardableResult func must(
        of account: String, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let answer = try type(["baton"] + words + ["--account", account])
        try #require(answer.status == 0, "\(answer)", sourceLocation: sourceLocation)
        return answer.output
    }

    /// Types a command about one of its accounts, and returns the one value that it printed as JSON.
    func json(
        of account: String, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSONValue {
        let answer = try type(["baton"] + words + ["--account", account, "--json"])
        try #require(answer.status == 0, "\(answer)", sourceLocation: sourceLocation)
        return try JSONValue(answer.output)
    }

    /// Makes the account another one of this machine, under the same name, with a code that the inviter shows.
    func join(_ inviter: Machine, account: String, as name: String, at address: String) throws {
        let code = try #require(try inviter.json(of: account, "invite", "--no-wait")["code"].string)
        try must(of: account, "join", code, "--at", address, "--name", name)
    }

    /// Waits until the devices of an account are so many, all connected and in step.
    func waitUntilInStep(account: String, with count: Int) throws {
        try eventually("\(count) devices of \(account) in step with \(name); \(log)") {
            let peers = try json(of: account, "status")["peers"].list
            return peers.count == count && peers.allSatisfy { $0["inStep"].boolean == true }
        }
    }

    /// The accounts of this machine, as `baton accounts --json` tells them.
    func accounts() throws -> [JSONValue] { try json("accounts")["accounts"].list }

    /// Where a device keeps who it is in an account.
    func identity(of account: String) -> String { home + "/accounts/\(account)/identity" }
}
