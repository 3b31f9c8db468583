extension SetFocusFilterIntent {
    /// The filter of the focus that is on; throws if no focus is on, or if it has no settings for this filter.
    public static var current: Self { get async throws { try await FocusFilters.current(Self.self) } }
}
