/// Changes what an app shows while a focus of the person is on.
@_alwaysEmitConformanceMetadata
public protocol SetFocusFilterIntent: SystemIntent, InstanceDisplayRepresentable {
    /// The changes that the focus makes outside of the app's window.
    var appContext: FocusFilterAppContext { get async throws }
    /// Returns the filters that are offered for a new focus.
    static func suggestedFocusFilters(for context: FocusFilterSuggestionContext) async -> [Self]
}

extension SetFocusFilterIntent {
    /// Nothing changes outside of the app's window.
    public var appContext: FocusFilterAppContext { get async throws { FocusFilterAppContext() } }

    /// Returns no filters.
    public static func suggestedFocusFilters(for context: FocusFilterSuggestionContext) async -> [Self] { [] }

    /// The filter of the focus that is on; throws, because nothing on Linux switches a focus on.
    public static var current: Self {
        get async throws { throw AppIntentError.Unrecoverable.entityNotFound }
    }

    /// Does nothing: no system shows `appContext`.
    public func invalidateFocusFilterAppContext() {}
}
