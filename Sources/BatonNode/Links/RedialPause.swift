import BatonCore

/// The pause before a device is dialled again.
///
/// Pauses grow as long as connections are short compared with the next pause. A device that breaks the protocol gets
/// the longest pause until it keeps to the protocol again.
package struct RedialPause {
    private var backoff: Backoff
    /// Whether the device has broken the protocol, and has not kept to it since.
    private var isPenalty = false

    /// A connection resets the pauses if it lasts longer than the next pause multiplied by this number.
    private static let worth = 4

    package init(_ bounds: ClosedRange<Duration>) { backoff = Backoff(bounds) }

    /// Returns the pause that begins now, and makes the next pause longer.
    package mutating func begin() -> Duration { backoff.next() }

    /// Records a connection that has ended, and how long it lasted.
    ///
    /// If `isTransient` is false, the connection ended because the device broke the protocol.
    package mutating func recordConnection(lasting age: Duration, isTransient: Bool) {
        if age > backoff.upcoming * Self.worth { reset() }
        guard !isTransient else { return }
        backoff.exhaust()
        isPenalty = true
    }

    /// Called when the device keeps to the protocol again.
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
