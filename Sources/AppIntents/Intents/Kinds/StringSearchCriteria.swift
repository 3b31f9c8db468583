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
