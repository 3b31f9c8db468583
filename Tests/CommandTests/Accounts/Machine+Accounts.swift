import Support
import Testing

extension Machine {
    /// Runs a command about one of its accounts, which must succeed, and returns the output.
    @discardableResult func must(
        of account: String, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let answer = try type(["baton"] + words + ["--account", account])
        try #require(answer.status == 0, "\(answer)", sourceLocation: sourceLocation)
        return answer.output
    }

    /// Runs a command about one of its accounts, and returns the value that it prints as JSON.
    func json(
        of account: String, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSONValue {
        let answer = try type(["baton"] + words + ["--account", account, "--json"])
        try #require(answer.status == 0, "\(answer)", sourceLocation: sourceLocation)
        return try JSONValue(answer.output)
    }

    /// Joins an account under the same name, with a code of the inviter.
    func join(_ inviter: Machine, account: String, as name: String, at address: String) throws {
        let code = try #require(try inviter.json(of: account, "invite", "--no-wait")["code"].string)
        try must(of: account, "join", code, "--at", address, "--name", name)
    }

    /// Waits until an account has this many devices, all connected and in step.
    func waitUntilInStep(account: String, with count: Int) throws {
        try eventually("\(count) devices of \(account) in step with \(name); \(log)") {
            let peers = try json(of: account, "status")["peers"].list
            return peers.count == count && peers.allSatisfy { $0["inStep"].boolean == true }
        }
    }

    /// The accounts of this machine, from `baton accounts --json`.
    func accounts() throws -> [JSONValue] { try json("accounts")["accounts"].list }

    /// The folder with a device's identity in an account.
    func identity(of account: String) -> String { home + "/accounts/\(account)/identity" }
}
