import Glibc
import Support
import Testing

extension Machine {
    /// Creates an account with this machine as its first, starts its node, and returns the recovery code.
    func begin() throws -> String {
        let made = try json("init", "--name", name)
        try startNode()
        return try #require(made["recoveryCode"].string)
    }

    /// Runs a command, and writes lines to its standard input, like a script.
    func baton(_ words: String..., reading lines: String) throws -> Answer {
        try baton(words, reading: lines)
    }

    /// Runs a `baton` command that reads its input from a script.
    func baton(_ words: [String], reading lines: String) throws -> Answer {
        let process = try begin(["baton"] + words, hasInput: true)
        process.write(Array("\(lines)\n".utf8))
        process.closeInput()
        let status = try process.wait()
        return Answer(words: words, status: status, output: process.output, errors: process.errors)
    }

    /// The role of each device in the table that a person sees.
    func kinds() throws -> [String: String] {
        var kinds: [String: String] = [:]
        for line in try must("devices", "--all").split(separator: "\n").dropFirst() {
            let cells = line.split(separator: "  ").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
            kinds[String(cells[0])] = String(cells[2])
        }
        return kinds
    }

    /// Whether the home still contains files of an account.
    var hasAccountFiles: Bool {
        access(home + "/accounts/default", F_OK) == 0 || access(home + "/left", F_OK) == 0
    }
}
