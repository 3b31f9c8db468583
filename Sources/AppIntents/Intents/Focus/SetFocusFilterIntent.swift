/// Changes what an app shows while a focus of the person is on.
///
/// A focus is a named set of settings, the same on all of the person's machines: `baton focus set work APP INTENT
/// --parameter value` makes one, and `baton focus work` switches it on. `perform()` is called when that happens, and
/// with the parameters' default values when the focus ends.
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

    /// Does nothing: no system shows `appContext`.
    public func invalidateFocusFilterAppContext() {}
}
