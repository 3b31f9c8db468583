package import BatonCore

/// Controls the person's service manager with `systemctl --user`.
package struct SystemControl: Sendable {
    /// Runs a program and returns its output, or nil if the program can't be started.
    private let run: @Sendable ([String]) -> ProgramOutput?

    /// The service manager of this machine.
    package static var real: SystemControl { SystemControl { ProgramOutput(of: $0) } }

    private init(_ run: @escaping @Sendable ([String]) -> ProgramOutput?) { self.run = run }

    /// The reason why the service manager can't be reached, or nil if it answers.
    package var trouble: String? {
        guard let answer = run(["systemctl", "--user", "show", "--property=Version"]) else {
            return "there is no systemctl on this machine"
        }
        guard answer.status != 0 else { return nil }
        let reason = answer.errors.split(separator: "\n").first.map { ": \($0)" } ?? ""
        return "systemctl failed\(reason)"
    }

    /// Lets the service manager perform a command.
    ///
    /// If the command fails, throws its error message.
    package func `do`(_ command: String, _ units: [String] = []) throws(LocalFailure) {
        let words = [command] + units
        guard let answer = run(["systemctl", "--user"] + words) else {
            throw LocalFailure(.failed, "There is no systemctl on this machine.")
        }
        guard answer.status == 0 else {
            // The other lines of the message mention the journal. The caller gives better advice.
            let reason =
                answer.errors.split(separator: "\n").first.map(String.init) ?? "status \(answer.status)"
            throw LocalFailure(
                .failed, "`systemctl --user \(words.joined(separator: " "))` failed: \(reason)")
        }
    }

    /// Resets the counts of failures and restarts.
    ///
    /// A unit that the service manager does not know has no such counts.
    package func forgetFailures(of units: String...) {
        _ = run(["systemctl", "--user", "reset-failed"] + units)
    }

    /// Returns the values of a unit's properties, by the names of the properties.
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
