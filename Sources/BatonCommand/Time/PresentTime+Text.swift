import BatonClient
package import BatonCore

extension PresentTime {
    /// How long ago a time was, or its date.
    package func text(_ then: WallTime) -> VisibleText {
        VisibleText(HumanTime.text(then, now: now, offset: offset))
    }

    /// The time span since then.
    package func age(_ then: WallTime) -> VisibleText { VisibleText(HumanTime.span(now.since(then))) }

    /// How long something has been the case: `for 3 minutes`.
    package func duration(since then: WallTime) -> VisibleText { lastingDuration(since: then) ?? "just now" }

    /// How long something has been the case; nil if it began a moment ago.
    package func lastingDuration(since then: WallTime) -> VisibleText? {
        now.since(then) < .seconds(5) ? nil : "for \(age(then))"
    }

    /// Parses an expiry that a person typed.
    package func expiry(_ text: String) throws(LocalFailure) -> WallTime {
        try TimeParser.parse(text, now: now, offset: offset)
    }

    /// Parses a time in the past that a person typed.
    package func past(_ text: String) throws(LocalFailure) -> WallTime {
        try TimeParser.parsePast(text, now: now, offset: offset)
    }
}
