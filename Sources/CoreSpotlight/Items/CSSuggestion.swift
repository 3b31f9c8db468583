package import BatonCore
public import Foundation

/// A text that a person may mean to search for.
open class CSSuggestion: NSObject, NSSecureCoding, NSCopying {
    /// The text with the typed parts of it, as the index gave it.
    private let suggestion: SearchSuggestion
    /// The place of the suggestion among those of its query, from 0.
    private let rank: Int

    /// Creates a suggestion that the index gave.
    package init(_ suggestion: SearchSuggestion, rank: Int) {
        (self.suggestion, self.rank) = (suggestion, rank)
        super.init()
    }

    /// The text; what the person typed has the attribute `suggestionHighlight`.
    open var localizedAttributedSuggestion: AttributedString {
        var text = AttributedString()
        for part in suggestion.parts {
            var piece = AttributedString(part.text)
            if part.isTyped {
                piece[AttributeScopes.CoreSpotlightAttributes.SuggestionHighlightAttribute.self] = true
            }
            text += piece
        }
        return text
    }

    /// The kind of the suggestion, by which an app may group suggestions.
    open var suggestionKind: SuggestionKind { .default }

    /// The text without attributes, to search for.
    var text: String { suggestion.text }

    /// A kind of suggestion.
    public enum SuggestionKind: Int, Sendable {
        /// A suggestion that is not to be shown.
        case none = 0
        /// A suggestion of the app's own.
        case custom = 1
        /// A suggestion that the index gave.
        case `default` = 2
    }

    // MARK: Ranks

    /// Compares the texts of two suggestions as a person sorts them.
    open func compare(_ other: CSSuggestion) -> ComparisonResult {
        suggestion.text.localizedStandardCompare(other.suggestion.text)
    }

    /// Compares the places of two suggestions of one query; the better one comes first.
    open func compare(byRank other: CSSuggestion) -> ComparisonResult {
        rank == other.rank ? .orderedSame : rank < other.rank ? .orderedAscending : .orderedDescending
    }

    // MARK: Copies and archives

    /// Returns the suggestion itself, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether suggestions can be read securely from an archive.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the suggestion to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(suggestion.text as NSString, forKey: Key.text)
        coder.encode(Int64(suggestion.kind.rawValue), forKey: Key.kind)
        let bounds = suggestion.typed.flatMap { [$0.lowerBound, $0.upperBound] }.map { NSNumber(value: $0) }
        coder.encode(bounds as NSArray, forKey: Key.typed)
        coder.encode(Int64(rank), forKey: Key.rank)
    }

    /// Reads a suggestion from an archive.
    public required init?(coder: NSCoder) {
        guard let text = coder.decodeObject(of: NSString.self, forKey: Key.text),
            let kind = SearchSuggestion.Kind(rawValue: UInt64(clamping: coder.decodeInt64(forKey: Key.kind))),
            let list = coder.decodeObject(of: [NSArray.self, NSNumber.self], forKey: Key.typed) as? [NSNumber]
        else { return nil }
        let bounds = list.map(\.intValue)
        guard bounds.count % 2 == 0, bounds == bounds.sorted(), bounds.allSatisfy({ $0 >= 0 }) else {
            return nil
        }
        let typed = stride(from: 0, to: bounds.count, by: 2).map { bounds[$0]..<bounds[$0 + 1] }
        suggestion = SearchSuggestion(text as String, kind, typed: typed)
        guard suggestion.isSound else { return nil }
        rank = Int(clamping: coder.decodeInt64(forKey: Key.rank))
        super.init()
    }

    /// The names in an archive.
    private enum Key {
        static let text = "text"
        static let kind = "kind"
        static let typed = "typed"
        static let rank = "rank"
    }

    // MARK: Comparing and describing

    /// Whether the other object is a suggestion with the same text and typed parts.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CSSuggestion else { return false }
        return suggestion == other.suggestion
    }

    /// A number that equal suggestions share.
    open override var hash: Int { suggestion.text.hashValue }

    /// The text.
    open override var description: String { "<\(type(of: self)): “\(suggestion.text)”>" }
}

extension AttributeScopes {
    /// The attributes that this module gives to texts.
    public struct CoreSpotlightAttributes: AttributeScope {
        /// Marks the part of a suggestion that the person typed.
        public let suggestionHighlight: SuggestionHighlightAttribute

        /// Marks the part of a suggestion that the person typed.
        public enum SuggestionHighlightAttribute: AttributedStringKey {
            /// The type of the attribute's value, which is always true.
            public typealias Value = Bool
            /// The name of the attribute.
            public static let name = NSAttributedString.Key.suggestionHighlight.rawValue
        }
    }

    /// The attributes that this module gives to texts.
    public var coreSpotlight: CoreSpotlightAttributes.Type { CoreSpotlightAttributes.self }
}
