/// What is searched for in an app.
public protocol SearchCriteria: _IntentValue {
    /// The places where an app can search.
    associatedtype SearchScopes
}
