package import BatonCore

/// An activity to go on with, as a person reads it.
package struct ContinuedText {
    private let continued: ContinuedActivity
    private let duration: Duration

    /// What was continued, and how long that took.
    package init(_ continued: ContinuedActivity, took duration: Duration) {
        (self.continued, self.duration) = (continued, duration)
    }

    /// What it is, from where, how fresh, and what it takes to go on.
    package func lines(at time: PresentTime) -> [VisibleText] {
        let activity = continued.summary.activity
        var lines = [continued.summary.label]
        if activity.title != nil { lines.append(VisibleText(activity.type)) }
        lines.append(freshness(at: time))
        return lines + activity.contentLines
    }

    /// One line that says what it is, from where and how fresh, before a command takes over.
    package func line(at time: PresentTime) -> VisibleText {
        continued.summary.label + ", " + freshness(at: time)
    }

    /// The device where it is going on.
    private var place: VisibleText {
        continued.summary.device.isHere ? "this machine" : "“\(continued.summary.device.name)”"
    }

    /// Where the state came from, and how old it is.
    private func freshness(at time: PresentTime) -> VisibleText {
        let age = time.text(continued.summary.activity.changed)
        switch continued.source {
        case .app: return "fresh from its app on \(place), \(Self.milliseconds(duration)) ms" + taken
        // What a shell said is all that there is to know, so its node knows it.
        case .node where continued.summary.app == ShellInstance.app:
            return "fresh from \(place), \(Self.milliseconds(duration)) ms" + taken
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

    /// That it ended there.
    private var taken: VisibleText { taken(by: "; it has ended there") }

    private func taken(by text: VisibleText) -> VisibleText { continued.isTaken ? text : "" }

    /// Milliseconds, with one place behind the point where there are few.
    static func milliseconds(_ duration: Duration) -> String {
        let milliseconds = duration.milliseconds
        guard milliseconds < 10 else { return String(Int64(milliseconds.rounded())) }
        return ((milliseconds * 10).rounded() / 10).description
    }
}

extension Activity {
    /// What it takes to go on, a line each.
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

    /// A value on one line: text as it is, all else as JSON.
    private static func text(_ value: PropertyValue) -> VisibleText {
        VisibleText(value.string ?? JSON(value).text)
    }
}
