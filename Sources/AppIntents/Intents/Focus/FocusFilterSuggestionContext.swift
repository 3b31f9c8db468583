/// The focus for which filters are suggested.
public struct FocusFilterSuggestionContext: Hashable, Sendable {
    /// Whether the focus has no filter yet.
    public let isNewFocus: Bool
}
