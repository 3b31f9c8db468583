/// The criteria of a search in an app.
public protocol SearchCriteria: _IntentValue {
    /// The places where an app can search.
    associatedtype SearchScopes
}
