import BatonCore

/// The pause before a device is dialled again.
///
/// Pauses grow while connections are short compared with the next pause. A device that breaks the protocol gets the
/// longest pause until it keeps to the protocol again.
package struct RedialPause {
    private var backoff: Backoff
    /// True if the device has broken the protocol and not kept to it since.
    private var isPenalty = false

    /// A connection resets the pauses if it lasts this many times as long as the next pause.
    private static let worth = 4

    package init(_ bounds: ClosedRange<Duration>) { backoff = Backoff(bounds) }

    /// Returns the pause that begins now, and makes the next one longer.
    package mutating func begin() -> Duration { backoff.next() }

    /// Notes how long a connection has lasted, and whether it ended for a transient reason or because the device broke
    /// the protocol.
    package mutating func recordConnection(lasting age: Duration, isTransient: Bool) {
        if age > backoff.upcoming * Self.worth { reset() }
        guard !isTransient else { return }
        backoff.exhaust()
        isPenalty = true
    }

    /// Notes that the device keeps to the protocol again.
    package mutating func forgive() {
        if isPenalty { reset() }
    }

    /// Makes the next pause the shortest one, unless the device has broken the protocol.
    package mutating func hurry() {
        if !isPenalty { reset() }
    }

    /// Makes the next pause the shortest one.
    package mutating func reset() {
        backoff.reset()
        isPenalty = false
    }
}
