package import BatonCore

/// The person's service manager, through `systemctl --user`.
package struct SystemControl: Sendable {
    /// Runs a program and returns its output, or nil if there is no such program.
    private let run: @Sendable ([String]) -> ProgramOutput?

    /// The manager of this machine.
    package static var real: SystemControl { SystemControl { ProgramOutput(of: $0) } }

    private init(_ run: @escaping @Sendable ([String]) -> ProgramOutput?) { self.run = run }

    /// Why the manager can't be reached, or nil if it answers.
    package var trouble: String? {
        guard let answer = run(["systemctl", "--user", "show", "--property=Version"]) else {
            return "there is no systemctl on this machine"
        }
        guard answer.status != 0 else { return nil }
        let reason = answer.errors.split(separator: "\n").first.map { ": \($0)" } ?? ""
        return "systemctl failed\(reason)"
    }

    /// Has the manager perform a command; throws the manager's error message.
    package func `do`(_ command: String, _ units: [String] = []) throws(LocalFailure) {
        let words = [command] + units
        guard let answer = run(["systemctl", "--user"] + words) else {
            throw LocalFailure(.failed, "There is no systemctl on this machine.")
        }
        guard answer.status == 0 else {
            // The further lines point to the journal; the caller gives better advice.
            let reason =
                answer.errors.split(separator: "\n").first.map(String.init) ?? "status \(answer.status)"
            throw LocalFailure(
                .failed, "`systemctl --user \(words.joined(separator: " "))` failed: \(reason)")
        }
    }

    /// Resets the manager's counts of failures and restarts; a unit that the manager does not know has none.
    package func forgetFailures(of units: String...) {
        _ = run(["systemctl", "--user", "reset-failed"] + units)
    }

    /// Returns properties of a unit, by name.
    package func properties(_ names: [String], of unit: String) throws(LocalFailure) -> [String: String] {
        let words = [
            "systemctl", "--user", "show", "--timestamp=unix", "--property=\(names.joined(separator: ","))",
            unit,
        ]
        guard let answer = run(words), answer.status == 0 else {
            throw LocalFailure(.failed, "The state of \(unit) is unknown: \(trouble ?? "systemctl failed").")
        }
        var properties: [String: String] = [:]
        for line in answer.output.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { properties[String(parts[0])] = String(parts[1]) }
        }
        return properties
    }
}
