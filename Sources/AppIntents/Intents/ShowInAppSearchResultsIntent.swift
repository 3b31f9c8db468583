/// Shows the results of a search in the app.
public protocol ShowInAppSearchResultsIntent: SystemIntent {
    /// The type of what is searched for.
    associatedtype Criteria: SearchCriteria

    /// Where the app can search.
    static var searchScopes: Criteria.SearchScopes { get }
    /// What is searched for.
    var criteria: Criteria { get set }
}

extension ShowInAppSearchResultsIntent {
    /// True: the app shows the results.
    public static var openAppWhenRun: Bool { true }
}

/// What is searched for in an app.
public protocol SearchCriteria: _IntentValue {
    /// The places where an app can search.
    associatedtype SearchScopes
}

/// A text that is searched for in an app.
public struct StringSearchCriteria: SearchCriteria, Hashable, _PlainIntentValue {
    /// The kinds of content.
    public typealias SearchScopes = [StringSearchScope]

    /// The text.
    public let term: String

    /// Creates a search.
    public init(term: String) { self.term = term }

    /// A text.
    public static var _form: _IntentValueForm { .text }
    /// The text.
    public var _content: _IntentValueContent { .text(term) }
    /// Returns a search for the text.
    public static func _value(of content: _IntentValueContent) async throws -> StringSearchCriteria {
        StringSearchCriteria(term: content.summary)
    }
}

/// A kind of content in which an app can search.
public enum StringSearchScope: Hashable, Sendable {
    /// Any content.
    case general
    /// Films.
    case movies
    /// Series.
    case tv
    /// Videos of people.
    case freeformVideo
}
