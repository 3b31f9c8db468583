/// Shows the results of a search in the app.
@_alwaysEmitConformanceMetadata
public protocol ShowInAppSearchResultsIntent: SystemIntent {
    /// The type of what is searched for.
    associatedtype Criteria: SearchCriteria

    /// Where the app can search.
    static var searchScopes: Criteria.SearchScopes { get }
    /// The criteria of the search.
    var criteria: Criteria { get set }
}

extension ShowInAppSearchResultsIntent {
    /// True: the app shows the results.
    public static var openAppWhenRun: Bool { true }
}
