import BatonCore

/// How long a device is left alone before it is sought again.
///
/// The pauses grow as long as connections are short, compared with them. A device that breaks the protocol is left alone
/// for longest, until it keeps to it.
package struct RedialPause {
    private var backoff: Backoff
    /// Whether the pause is that of a device that broke the protocol.
    private var isPenalty = false

    /// How many times as long as the next pause a connection lasts that begins the pauses anew.
    private static let worth = 4

    package init(_ bounds: ClosedRange<Duration>) { backoff = Backoff(bounds) }

    /// The pause that begins now; the next one is longer.
    package mutating func begin() -> Duration { backoff.next() }

    /// A connection ended that had lasted so long, for a reason that may pass or because the device broke the protocol.
    package mutating func note(lasting age: Duration, isTransient: Bool) {
        if age > backoff.upcoming * Self.worth { reset() }
        guard !isTransient else { return }
        backoff.exhaust()
        isPenalty = true
    }

    /// The device kept to the protocol since it last broke it.
    package mutating func forgive() {
        if isPenalty { reset() }
    }

    /// Begins with the shortest pause again, but for a device that broke the protocol.
    package mutating func hurry() {
        if !isPenalty { reset() }
    }

    /// Begins with the shortest pause again.
    package mutating func reset() {
        backoff.reset()
        isPenalty = false
    }
}
