package import BatonCore
public import Foundation

/// A text that a person may want to search for.
open class CSSuggestion: NSObject, NSSecureCoding, NSCopying {
    /// The text and the parts of it that the person has typed, as the index returned them.
    private let suggestion: SearchSuggestion
    /// The position of the suggestion among the suggestions of its query, counted from 0.
    private let rank: Int

    /// Creates a suggestion from one that the index returned.
    package init(_ suggestion: SearchSuggestion, rank: Int) {
        (self.suggestion, self.rank) = (suggestion, rank)
        super.init()
    }

    /// The text; the parts that the person has typed have the attribute `suggestionHighlight`.
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

    /// The kind of the suggestion; an app may group suggestions by their kinds.
    open var suggestionKind: SuggestionKind { .default }

    /// The text without attributes, which can be searched for.
    var text: String { suggestion.text }

    /// A kind of suggestion.
    public enum SuggestionKind: Int, Sendable {
        /// A suggestion that should not be shown.
        case none = 0
        /// A suggestion that the app itself makes.
        case custom = 1
        /// A suggestion that the index returned.
        case `default` = 2
    }

    // MARK: Ranks

    /// Compares the texts of two suggestions in the order that people expect in sorted lists.
    open func compare(_ other: CSSuggestion) -> ComparisonResult {
        suggestion.text.localizedStandardCompare(other.suggestion.text)
    }

    /// Compares the ranks of two suggestions of the same query; the better suggestion comes first.
    open func compare(byRank other: CSSuggestion) -> ComparisonResult {
        rank == other.rank ? .orderedSame : rank < other.rank ? .orderedAscending : .orderedDescending
    }

    // MARK: Copies and archives

    /// Returns the suggestion itself, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether suggestions can be decoded securely from an archive.
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

    /// The keys of the values in an archive.
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

    /// A hash value, which is the same for equal suggestions.
    open override var hash: Int { suggestion.text.hashValue }

    /// The text.
    open override var description: String { "<\(type(of: self)): “\(suggestion.text)”>" }
}

extension AttributeScopes {
    /// The text attributes that this module defines.
    public struct CoreSpotlightAttributes: AttributeScope {
        /// The attribute of the part of a suggestion that the person has typed.
        public let suggestionHighlight: SuggestionHighlightAttribute

        /// The attribute of the part of a suggestion that the person has typed.
        public enum SuggestionHighlightAttribute: AttributedStringKey {
            /// The type of the attribute's value, which is always true.
            public typealias Value = Bool
            /// The name of the attribute.
            public static let name = NSAttributedString.Key.suggestionHighlight.rawValue
        }
    }

    /// The text attributes that this module defines.
    public var coreSpotlight: CoreSpotlightAttributes.Type { CoreSpotlightAttributes.self }
}
