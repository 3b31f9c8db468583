package import BatonCore
package import BatonTerminal

/// Shows a list of activities to a person.
package struct ActivityList {
    private let summaries: [ActivitySummary]

    package init(_ summaries: [ActivitySummary]) { self.summaries = summaries }

    /// A table that has a row for each activity.
    ///
    /// The IDs are shortened, but long enough to tell the activities apart. The title gets the width that the other
    /// columns leave.
    package func table(at time: PresentTime) -> Table {
        let areFinished = summaries.contains { $0.activity.finished != nil }
        var table = Table([
            .init("ID"), .init("DEVICE", least: 6), .init("KIND"), .init("TITLE", least: 8),
            .init(areFinished ? "ENDED" : "AGE"), .init("", least: 12, isOptional: true),
        ])
        let length = Self.distinctLength(summaries.map(\.identifier))
        for summary in summaries {
            let (activity, device) = (summary.activity, summary.device)
            table.add(marked: [
                MarkedText(VisibleText(summary.identifier.prefix(length)), .name),
                device.isHere ? MarkedText("here", .dim) : MarkedText(VisibleText(device.name)),
                MarkedText(VisibleText(ActivityKind(activity).rawValue), .dim),
                MarkedText(VisibleText(summary.title)),
                MarkedText(VisibleText((activity.finished ?? activity.changed).shortAge(at: time.now)), .dim),
                MarkedText(summary.marks, .remark),
            ])
        }
        return table
    }

    /// A line that reports a change of the list, or nil for the beginning of a new list.
    package static func line(_ happening: ActivityWatch.Happening) -> VisibleText? {
        switch happening {
        case .anew: nil
        case .changed(let summary):
            summary.named + ": \(summary.activity.type)" + (summary.marks.isEmpty ? "" : ", " + summary.marks)
        case .gone(let summary): summary.named + ": ended"
        }
    }

    /// The number of characters by which all identifiers can be told apart.
    ///
    /// It is at least the usual number.
    static func distinctLength(_ identifiers: [String]) -> Int {
        let sorted = identifiers.sorted()
        return zip(sorted, sorted.dropFirst()).reduce(ActivitySummary.shortLength) { length, pair in
            max(length, zip(pair.0, pair.1).prefix { $0 == $1 }.count + 1)
        }
    }
}

extension ActivitySummary {
    /// The number of characters of an identifier that are usually shown.
    static let shortLength = 7

    /// The beginning of the identifier, which a person can type.
    package var short: VisibleText { VisibleText(identifier.prefix(Self.shortLength)) }

    /// The activity's label and ID, and the device on which it is.
    fileprivate var named: VisibleText {
        label + " (\(short)) " + (device.isHere ? "here" : "on \(device.name)")
    }

    /// Remarks about the activity, such as that it is private.
    var marks: VisibleText {
        var marks: [VisibleText] = []
        // A narrow terminal cuts off the end of the remarks. So the most important remark comes first.
        if isForgotten { marks.append("forgotten") }
        if let departure { marks.append("its machine \(departure.words)") }
        if isSentHere { marks.append("sent to you") }
        if isPrivate { marks.append("private") }
        if let continuedOn {
            marks.append(activity.isTaken ? "taken over by \(continuedOn)" : "continued on \(continuedOn)")
        }
        return marks.joined(", ")
    }

    /// The title, or the type if there is no title.
    var title: String { activity.title.flatMap { $0.isEmpty ? nil : $0 } ?? activity.type }

    /// The title in quotation marks, or the type if there is no title.
    package var label: VisibleText {
        guard let title = activity.title, !title.isEmpty else { return VisibleText(activity.type) }
        return "“\(title)”"
    }
}

extension DeviceDeparture {
    /// How the machine left the account, as words that follow its name.
    var words: VisibleText {
        switch self {
        case .left: "has left the account"
        case .removed: "was removed"
        case .revoked: "was revoked"
        }
    }
}
