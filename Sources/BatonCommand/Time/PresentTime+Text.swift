import BatonClient
package import BatonCore

extension PresentTime {
    /// The time span since a time, such as `3 minutes ago`, or a date if the time was long ago.
    package func text(_ then: WallTime) -> VisibleText {
        VisibleText(HumanTime.text(then, now: now, offset: offset))
    }

    /// The time span since a time, without the word “ago”.
    package func age(_ then: WallTime) -> VisibleText { VisibleText(HumanTime.span(now.since(then))) }

    /// The duration of a state that began at a time, such as `for 3 minutes`, or `just now`.
    package func duration(since then: WallTime) -> VisibleText { lastingDuration(since: then) ?? "just now" }

    /// The duration of a state that began at a time, or nil if it began less than five seconds ago.
    package func lastingDuration(since then: WallTime) -> VisibleText? {
        now.since(then) < .seconds(5) ? nil : "for \(age(then))"
    }

    /// Parses the time when something expires, as a person typed it.
    package func expiry(_ text: String) throws(LocalFailure) -> WallTime {
        try TimeParser.parse(text, now: now, offset: offset)
    }

    /// Parses a time in the past, as a person typed it.
    package func past(_ text: String) throws(LocalFailure) -> WallTime {
        try TimeParser.parsePast(text, now: now, offset: offset)
    }
}
