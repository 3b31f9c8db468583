/// Changes what an app shows while a focus of the person is on.
public protocol SetFocusFilterIntent: SystemIntent, InstanceDisplayRepresentable {
    /// What the focus changes outside of the app's window.
    var appContext: FocusFilterAppContext { get async throws }
    /// Returns the filters that are offered for a new focus.
    static func suggestedFocusFilters(for context: FocusFilterSuggestionContext) async -> [Self]
}

extension SetFocusFilterIntent {
    /// Nothing changes outside of the app's window.
    public var appContext: FocusFilterAppContext { get async throws { FocusFilterAppContext() } }

    /// Returns no filters.
    public static func suggestedFocusFilters(for context: FocusFilterSuggestionContext) async -> [Self] { [] }

    /// The filter of the focus that is on; throws if none is on or it has no filter of this app.
    public static var current: Self {
        get async throws {
            guard let values = FocusFilters.shared.values(of: Self.self) else {
                throw AppIntentError.Unrecoverable.entityNotFound
            }
            let filter = Self()
            for named in IntentReflection.parameters(of: filter) {
                if let value = values[named.name] { try await named.parameter.set(value) }
            }
            return filter
        }
    }

    /// Tells the system that `appContext` changed.
    public func invalidateFocusFilterAppContext() { FocusFilters.shared.invalidate(Self.self) }
}
