package import BatonCore

/// Streams between apps, and what apps hear.
extension NodeConnection {
    /// Asks for a stream to the app whose activity is meant; the connection carries it from then on.
    package mutating func openStream(
        _ selection: ActivitySelection, within patience: Duration
    ) throws(LocalFailure) -> ContinuedActivity {
        guard case .streamOpened(let continued) = try request(.openStream(selection), within: patience) else {
            throw Self.mistaken
        }
        return continued
    }

    /// Takes the stream that is wanted by that number; the connection carries it from then on.
    package mutating func acceptStream(_ number: UInt64) throws(LocalFailure) {
        guard case .done = try request(.acceptStream(number)) else { throw Self.mistaken }
    }
}
