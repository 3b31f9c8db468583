import BatonClient
package import BatonCore

/// Shows a continued activity to a person.
package struct ContinuedText {
    private let continued: ContinuedActivity
    private let duration: Duration?

    /// Creates the text for an activity.
    ///
    /// `duration` is the time that it took to continue it, if it is known.
    package init(_ continued: ContinuedActivity, took duration: Duration? = nil) {
        (self.continued, self.duration) = (continued, duration)
    }

    /// Lines with the activity's label and type, the source and age of its state, and its payload.
    package func lines(at time: PresentTime) -> [VisibleText] {
        let activity = continued.summary.activity
        var lines = [continued.summary.label]
        if activity.title != nil { lines.append(VisibleText(activity.type)) }
        lines.append(freshness(at: time))
        return lines + activity.contentLines
    }

    /// One line with the activity's label, and the source and age of its state.
    ///
    /// It is printed before a command starts.
    package func line(at time: PresentTime) -> VisibleText {
        continued.summary.label + ", " + freshness(at: time)
    }

    /// The device on which the activity is current.
    private var place: VisibleText {
        continued.summary.device.isHere ? "this machine" : "“\(continued.summary.device.name)”"
    }

    /// The source of the activity's state, and the age of the state.
    private func freshness(at time: PresentTime) -> VisibleText {
        let age = time.text(continued.summary.activity.changed)
        switch continued.source {
        case .app: return "fresh from its app on \(place)" + span + taken
        // A shell has no fresher state than its node, so the node's state counts as fresh.
        case .node where continued.summary.app == ShellInstance.app:
            return "fresh from \(place)" + span + taken
        case .node: return "from the node of \(place), since its app did not answer: as it was \(age)" + taken
        case .replica where continued.summary.departure != nil:
            let departure = continued.summary.departure?.words ?? ""
            return "\(place) \(departure): as it was last known here, \(age)"
                + taken(by: "; it is not listed any more")
        case .replica:
            return "\(place) could not be reached: as it was \(age)"
                + taken(by: "; it will end there")
        case .finished:
            let ended = continued.summary.activity.finished.map { time.text($0) } ?? age
            return "finished on \(place) \(ended)"
        }
    }

    /// The time that it took to continue the activity, or an empty text if it is unknown.
    private var span: VisibleText { duration.map { ", \(Self.milliseconds($0)) ms" } ?? "" }

    /// A remark that the activity has ended on the other machine, or an empty text if it has not.
    private var taken: VisibleText { taken(by: "; it has ended there") }

    private func taken(by text: VisibleText) -> VisibleText { continued.isTaken ? text : "" }

    /// The number of milliseconds.
    ///
    /// Below ten, it has one decimal place.
    static func milliseconds(_ duration: Duration) -> String {
        let milliseconds = duration.milliseconds
        guard milliseconds < 10 else { return String(Int64(milliseconds.rounded())) }
        return ((milliseconds * 10).rounded() / 10).description
    }
}

extension Activity {
    /// The address, keywords and payload of the activity, with one line for each value.
    var contentLines: [VisibleText] {
        var lines: [VisibleText] = []
        if let webpage { lines.append("url: \(webpage)") }
        if !keywords.isEmpty { lines.append("keywords: \(keywordsInOrder.joined(separator: ", "))") }
        let pairs = info.map { (key: Self.text($0.key), value: Self.text($0.value)) }
        for (key, value) in pairs.sorted(by: { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) })
        {
            lines.append("\(key) = \(value)")
        }
        return lines
    }

    /// A value on one line.
    ///
    /// A string is shown as it is, and any other value as JSON.
    private static func text(_ value: PropertyValue) -> VisibleText {
        VisibleText(value.string ?? JSON(value).text)
    }
}
