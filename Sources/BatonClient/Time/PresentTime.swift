package import BatonCore

/// Now, on this person's clock: what times are told against.
package struct PresentTime: Sendable {
    package let now: WallTime
    private let offset: @Sendable (WallTime) -> Int

    /// A time, and by how many seconds local clocks are ahead of universal time at any time.
    package init(_ now: WallTime, offset: @escaping @Sendable (WallTime) -> Int) {
        (self.now, self.offset) = (now, offset)
    }

    /// What this machine's clock shows.
    package static var here: PresentTime { PresentTime(LocalClock.now) { LocalClock.offset(at: $0) } }

    /// How long ago a time is, or when it was.
    package func text(_ then: WallTime) -> VisibleText {
        VisibleText(HumanTime.text(then, now: now, offset: offset))
    }

    /// How old something of that time is.
    package func age(_ then: WallTime) -> VisibleText { VisibleText(HumanTime.span(now.since(then))) }

    /// For how long something has been so: `for 3 minutes`.
    package func duration(since then: WallTime) -> VisibleText {
        now.since(then) < .seconds(5) ? "just now" : "for \(age(then))"
    }

    /// The time that a person means.
    package func expiry(_ text: String) throws(LocalFailure) -> WallTime {
        try TimeParser.parse(text, now: now, offset: offset)
    }
}
