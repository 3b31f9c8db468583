import Foundation
import Support
import Testing

/// The output of `baton doctor --json`.
struct Checkup: CustomStringConvertible {
    let answer: Answer
    let findings: [JSONValue]

    /// Runs the command, with a machine to check if one is named, and behind the words of another command.
    init(_ machine: Machine, _ device: String? = nil, by words: [String] = []) throws {
        let command = [Products.baton, "doctor", "--json"] + (device.map { [$0] } ?? [])
        answer = try machine.type(words + command)
        findings = try answer.output.split(separator: "\n").map { try JSONValue("\($0)\n") }
    }

    var description: String { "\(answer)" }

    /// The only finding of a check.
    func finding(_ check: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> JSONValue {
        let all = findings.filter { $0["check"].string == check }
        try #require(all.count == 1, "\(check): \(self)", sourceLocation: sourceLocation)
        return all[0]
    }

    /// The outcomes of a check, in their order.
    func outcomes(_ check: String) -> [String] {
        findings.filter { $0["check"].string == check }.compactMap { $0["outcome"].string }
    }

    /// The outcome at an address.
    func outcome(at address: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String? {
        let all = findings.filter { $0["address"].string == address }
        try #require(all.count == 1, "\(address): \(self)", sourceLocation: sourceLocation)
        return all[0]["outcome"].string
    }

    /// Whether a finding says what to do.
    func advises(_ check: String, _ words: String) -> Bool {
        findings.contains {
            $0["check"].string == check && $0["advice"].string?.contains(words) == true
        }
    }
}
