package import BatonCore

/// The person's service manager, as `systemctl --user` speaks with it.
package struct SystemControl: Sendable {
    /// Runs a program, and tells what it printed; nothing if there is no such program.
    private let run: @Sendable ([String]) -> ProgramOutput?

    /// The one of this machine.
    package static var real: SystemControl { SystemControl { ProgramOutput(of: $0) } }

    private init(_ run: @escaping @Sendable ([String]) -> ProgramOutput?) { self.run = run }

    /// Why no manager can be asked; nothing if one answers.
    package var trouble: String? {
        guard let answer = run(["systemctl", "--user", "show", "--property=Version"]) else {
            return "there is no systemctl on this machine"
        }
        guard answer.status != 0 else { return nil }
        let reason = answer.errors.split(separator: "\n").first.map { ": \($0)" } ?? ""
        return "systemctl failed\(reason)"
    }

    /// Has the manager do something; what it says of a failure is thrown.
    package func `do`(_ words: String...) throws(LocalFailure) {
        guard let answer = run(["systemctl", "--user"] + words) else {
            throw LocalFailure(.failed, "There is no systemctl on this machine.")
        }
        guard answer.status == 0 else {
            // Behind its first line it tells to look in the journal; whoever called knows better where.
            let reason =
                answer.errors.split(separator: "\n").first.map(String.init) ?? "status \(answer.status)"
            throw LocalFailure(
                .failed, "`systemctl --user \(words.joined(separator: " "))` failed: \(reason)")
        }
    }

    /// Has the manager forget that units failed, and how often they were started; of one that it does not know there is
    /// nothing to forget.
    package func forgetFailures(of units: String...) {
        _ = run(["systemctl", "--user", "reset-failed"] + units)
    }

    /// What the manager knows of a unit, by the names of the properties.
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
