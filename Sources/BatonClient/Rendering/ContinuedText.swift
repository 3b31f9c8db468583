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
        continued.summary.device.isHere ? "this machine" : VisibleText(continued.summary.device.name)
    }

    /// Where the state came from, and how old it is.
    private func freshness(at time: PresentTime) -> VisibleText {
        switch continued.source {
        case .node: "fresh from \(place), \(Self.milliseconds(duration)) ms"
        case .replica:
            "\(place) could not be reached: its last replicated state, \(time.age(continued.summary.activity.changed)) old"
        }
    }

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
