/// Suggests searches to a person who has typed the beginning of a search.
package struct SuggestSearches: ConnectionCall, ReadingCall {
    package typealias Reply = SuggestionsReply
    package static let number = LocalCallNumber.suggestSearches

    package var text: String
    /// The maximum number of suggestions to return.
    package var most: Int
    /// The app whose items and searches are suggested; nil means the items of all apps and the searches over all apps.
    package var app: String?

    package init(_ text: String, most: Int, app: String? = nil) {
        (self.text, self.most, self.app) = (text, most, app)
    }

    package func encode(to writer: inout CBORWriter) { writer.triple(text, Int64(most), app) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        let (text, most, app): (String, Int64, String?) = try reader.triple()
        self.init(text, most: Int(most), app: app)
    }
}

/// Suggestions of searches, best first.
package struct SuggestionsReply: SimpleReply {
    package static let kind = LocalReplyKind.suggestions

    package var suggestions: [SearchSuggestion]

    package init(_ suggestions: [SearchSuggestion]) { self.suggestions = suggestions }

    package func encode(to writer: inout CBORWriter) { writer.value(suggestions) }

    package init(from reader: inout CBORReader) throws(CBORError) { suggestions = try reader.value() }
}

/// Remembers a search that was useful to the person, so that it can be suggested later.
///
/// The search stays on this device.
package struct RememberSearch: AccountCall {
    package typealias Reply = Done
    package static let number = LocalCallNumber.rememberSearch

    package var text: String
    /// The app in which the search was made; nil for a search over all apps.
    package var app: String?

    package init(_ text: String, in app: String? = nil) { (self.text, self.app) = (text, app) }

    package func encode(to writer: inout CBORWriter) { writer.pair(text, app) }

    package init(from reader: inout CBORReader) throws(CBORError) { (text, app) = try reader.pair() }
}

/// Forgets one remembered search, or all of them.
package struct ForgetSearches: AccountCall {
    package typealias Reply = Done
    package static let number = LocalCallNumber.forgetSearches

    /// The text of the search to forget; nil means all searches.
    package var text: String?

    package init(_ text: String? = nil) { self.text = text }

    package func encode(to writer: inout CBORWriter) { writer.optional(text) }

    package init(from reader: inout CBORReader) throws(CBORError) { text = try reader.optionalText() }
}

extension SearchSuggestion: LocalValue {
    func encode(to writer: inout CBORWriter) {
        writer.array(count: 3)
        writer.text(text)
        writer.unsigned(kind.rawValue)
        writer.array(count: typed.count * 2)
        for range in typed {
            writer.unsigned(UInt64(range.lowerBound))
            writer.unsigned(UInt64(range.upperBound))
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 3)
        let (text, place) = (try reader.text(), reader.offset)
        guard let kind = Kind(rawValue: try reader.unsigned()) else {
            throw CBORError(.outOfRange, at: place)
        }
        let ends = try reader.array(upTo: Limits.suggestionRanges * 2) { (reader) throws(CBORError) in
            try reader.unsigned()
        }
        var typed: [Range<Int>] = []
        for start in stride(from: 0, to: ends.count, by: 2) {
            guard start + 1 < ends.count, ends[start] <= ends[start + 1], ends[start + 1] <= text.utf8.count
            else { throw CBORError(.outOfRange, at: place) }
            typed.append(Int(ends[start])..<Int(ends[start + 1]))
        }
        self.init(text, kind, typed: typed)
        guard isSound else { throw CBORError(.outOfRange, at: place) }
    }
}
