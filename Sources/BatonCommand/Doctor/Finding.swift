package import BatonClient
package import BatonCore

/// The result of one check of `baton doctor`: the thing that was checked, its state, and what to do.
package struct Finding: Equatable, Sendable {
    /// The check that was made.
    package let check: Check
    /// The outcome as a word that stays the same in later versions, for programs.
    ///
    /// Each outcome of a check has a word of its own.
    package let outcome: String
    package let mark: Mark
    /// The thing that was checked, as a person reads it.
    package let subject: VisibleText
    /// The result of the check, as a person reads it.
    package let found: VisibleText
    /// The advice for the person, or nil if there is nothing to do.
    package let advice: VisibleText?
    /// The device that the check is about, or nil if it is about no device.
    package var device: DeviceReference?
    /// The address that was tried, or nil if none was.
    package var address: String?

    package init(
        _ check: Check, _ outcome: String, _ mark: Mark, _ subject: VisibleText, _ found: VisibleText,
        advice: VisibleText? = nil
    ) {
        (self.check, self.outcome, self.mark) = (check, outcome, mark)
        (self.subject, self.found, self.advice) = (subject, found, advice)
    }

    /// The checks, in the order in which they are made.
    package enum Check: String, CaseIterable, Sendable {
        case home, privacy, node, version, account, trouble, port, firewall, discovery, names, device,
            address, store, disk, limits, service, browser, search, app, intents, items, activity
    }

    /// How serious a finding is.
    package enum Mark: String, CaseIterable, Sendable {
        /// All is well.
        case ok
        /// Nothing is wrong, but it is useful to know.
        case note
        /// Something works less well than it could, or may stop working.
        case warning
        /// Something does not work.
        case problem

        /// The symbol at the beginning of the line.
        package var symbol: VisibleText {
            switch self {
            case .ok: "✓"
            case .note: "-"
            case .warning: "!"
            case .problem: "✗"
            }
        }
    }
}

// MARK: Rendering

extension Finding {
    /// A line with the finding, and a second line if there is advice.
    ///
    /// The findings about the addresses of a device are indented, because they follow the finding about the device.
    package var lines: [VisibleText] {
        let indent: VisibleText = check == .address ? "  " : ""
        let line: VisibleText = "\(indent)\(mark.symbol) \(subject): \(found)"
        return [line] + (advice.map { ["\(indent)    \($0)"] } ?? [])
    }

    /// The finding as JSON, for programs.
    package var json: JSON {
        .object([
            .init("check", .string(check.rawValue)), .init("outcome", .string(outcome)),
            .init("mark", .string(mark.rawValue)), .init("subject", .string(subject.text)),
            .init("found", .string(found.text)), .init("advice", JSON(advice?.text)),
            .init("device", device.map { JSON($0) } ?? .null), .init("address", JSON(address)),
        ])
    }
}

/// Counts the findings by their severity.
package struct FindingCount: Equatable, Sendable {
    private var counts: [Finding.Mark: Int64] = [:]

    package init() {}

    package mutating func recordMark(_ mark: Finding.Mark) { counts[mark, default: 0] += 1 }

    /// Whether something does not work.
    package var hasProblems: Bool { counts[.problem, default: 0] > 0 }

    /// A line that summarises all findings.
    package var line: VisibleText {
        let (problems, warnings) = (counts[.problem, default: 0], counts[.warning, default: 0])
        if problems == 0, warnings == 0 { return "Everything works." }
        let parts = [(problems, "problem"), (warnings, "warning")].filter { $0.0 > 0 }
            .map { VisibleText(HumanTime.count($0.0, $0.1)) }
        return parts.joined(", ") + "."
    }
}
