package import BatonCore

/// The activities that are going on, as a person sees them.
package struct ActivityList {
    private let summaries: [ActivitySummary]

    package init(_ summaries: [ActivitySummary]) { self.summaries = summaries }

    /// A row an activity, with identifiers that are as short as they can be told apart.
    package func table(at time: PresentTime) -> Table {
        var table = Table([
            .init("ID"), .init("DEVICE", least: 6), .init("TYPE", least: 8), .init("TITLE", least: 8),
            .init(
                summaries.contains { $0.activity.finished != nil } ? "FINISHED" : "CHANGED", isOptional: true),
            .init("", least: 12, isOptional: true),
        ])
        let length = Self.distinctLength(summaries.map(\.identifier))
        for summary in summaries {
            table.add([
                VisibleText(summary.identifier.prefix(length)),
                summary.device.isHere ? "here" : VisibleText(summary.device.name),
                VisibleText(summary.activity.type),
                VisibleText(summary.activity.title ?? ""),
                time.text(summary.activity.finished ?? summary.activity.changed), summary.marks,
            ])
        }
        return table
    }

    /// What happened to the list, in a line; nothing stands for what is said otherwise.
    package static func line(_ happening: ActivityWatch.Happening) -> VisibleText? {
        switch happening {
        case .anew: nil
        case .changed(let summary):
            summary.named + ": \(summary.activity.type)" + (summary.marks.isEmpty ? "" : ", " + summary.marks)
        case .gone(let summary): summary.named + ": ended"
        }
    }

    /// How many characters tell all identifiers apart, but never fewer than a person is used to.
    static func distinctLength(_ identifiers: [String]) -> Int {
        let sorted = identifiers.sorted()
        return zip(sorted, sorted.dropFirst()).reduce(ActivitySummary.shortLength) { length, pair in
            max(length, zip(pair.0, pair.1).prefix { $0 == $1 }.count + 1)
        }
    }
}

extension ActivitySummary {
    /// How many characters of an identifier are shown.
    static let shortLength = 7

    /// Enough of the identifier for a person to type.
    package var short: VisibleText { VisibleText(identifier.prefix(Self.shortLength)) }

    /// What it is, and where.
    fileprivate var named: VisibleText {
        label + " (\(short)) " + (device.isHere ? "here" : "on \(device.name)")
    }

    /// What there is to say of it beside itself.
    var marks: VisibleText {
        var marks: [VisibleText] = []
        // What is cut off where the terminal is narrow is what matters least.
        if isForgotten { marks.append("forgotten") }
        if let departure { marks.append("its machine \(departure.words)") }
        if isSentHere { marks.append("sent to you") }
        if isPrivate { marks.append("private") }
        if let continuedOn {
            marks.append(activity.isTaken ? "taken over by \(continuedOn)" : "continued on \(continuedOn)")
        }
        return marks.joined(", ")
    }

    /// Why its machine is no part of the account now, as `--json` has it.
    var departureWord: String? {
        departure.map { departure in
            switch departure {
            case .left: "left"
            case .removed: "removed"
            case .revoked: "revoked"
            }
        }
    }

    /// The title in quotation marks, or the type where nothing is seen of one.
    package var label: VisibleText {
        guard let title = activity.title, !title.isEmpty else { return VisibleText(activity.type) }
        return "“\(title)”"
    }
}

extension DeviceDeparture {
    /// How the machine departed, as words that follow its name.
    var words: VisibleText {
        switch self {
        case .left: "has left the account"
        case .removed: "was removed"
        case .revoked: "was revoked"
        }
    }
}
