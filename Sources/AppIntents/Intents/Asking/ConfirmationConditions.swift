/// The cases in which a confirmation is asked for.
public struct ConfirmationConditions: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: Int

    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Only if the intent was guessed, for example from a phrase.
    public static let lowConfidenceSource = ConfirmationConditions(rawValue: 1 << 0)
}
