public import Foundation

/// The attributes that a query returns for each item, and further conditions that items must match.
open class CSSearchQueryContext: NSObject, NSSecureCoding, NSCopying {
    /// The names of the attributes that are returned for each found item; other attributes are not returned.
    ///
    /// The name `*` means all attributes.
    open var fetchAttributes: [String] = []
    /// Further queries that an item must also match to be found.
    open var filterQueries: [String] = []
    /// The language of the person's keyboard.
    ///
    /// This has no effect, because searches treat all languages in the same way.
    open var keyboardLanguage: String?
    /// Further places that the query searches, in addition to the app's items; on Linux, there are none.
    open var sourceOptions: SourceOptions = []

    /// The places that a query can search.
    public struct SourceOptions: OptionSet, Sendable {
        /// The places as bits.
        public let rawValue: UInt

        /// Creates options from bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The person's mail; on Linux, no app shares mail with other apps.
        public static let allowMail = SourceOptions(rawValue: 1 << 0)
    }

    /// Creates a context that requests no attributes.
    public override init() { super.init() }

    // MARK: Copies and archives

    /// Returns a copy; later changes to one context don't affect the other.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CSSearchQueryContext()
        copySettings(into: copy)
        return copy
    }

    /// Copies the values of this context to another context.
    func copySettings(into copy: CSSearchQueryContext) {
        (copy.fetchAttributes, copy.filterQueries) = (fetchAttributes, filterQueries)
        (copy.keyboardLanguage, copy.sourceOptions) = (keyboardLanguage, sourceOptions)
    }

    /// Whether contexts can be decoded securely from an archive.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the context to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(fetchAttributes.map { $0 as NSString } as NSArray, forKey: Key.fetchAttributes)
        coder.encode(filterQueries.map { $0 as NSString } as NSArray, forKey: Key.filterQueries)
        coder.encode(keyboardLanguage.map { $0 as NSString }, forKey: Key.keyboardLanguage)
        coder.encode(Int64(bitPattern: UInt64(sourceOptions.rawValue)), forKey: Key.sourceOptions)
    }

    /// Reads a context from an archive.
    public required init?(coder: NSCoder) {
        super.init()
        fetchAttributes = Self.texts(coder, Key.fetchAttributes)
        filterQueries = Self.texts(coder, Key.filterQueries)
        keyboardLanguage =
            coder.decodeObject(of: NSString.self, forKey: Key.keyboardLanguage).map { $0 as String }
        let options = coder.decodeInt64(forKey: Key.sourceOptions)
        sourceOptions = SourceOptions(rawValue: UInt(truncatingIfNeeded: options))
    }

    private static func texts(_ coder: NSCoder, _ key: String) -> [String] {
        let list = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: key) as? [NSString]
        return (list ?? []).map { $0 as String }
    }

    /// The keys of the values in an archive.
    private enum Key {
        static let fetchAttributes = "fetchAttributes"
        static let filterQueries = "filterQueries"
        static let keyboardLanguage = "keyboardLanguage"
        static let sourceOptions = "sourceOptions"
    }
}

/// The attributes and the limits for a search that a person has typed.
open class CSUserQueryContext: CSSearchQueryContext {
    /// The largest number of items that are found; 0 means no limit.
    open var maxResultCount = 0
    /// The largest number of suggestions; 0 means all suggestions that the index makes.
    open var maxSuggestionCount = 0
    /// The largest number of items that are sorted by rank.
    open var maxRankedResultCount = 100
    /// Whether the best items are returned first.
    open var enableRankedResults = true
    /// Whether the search should only look for the words themselves, and not for their meaning.
    ///
    /// This has no effect on Linux.
    open var disableSemanticSearch = false
    /// The suggestion that the person has chosen; nil if the person has typed the words.
    private(set) var currentSuggestion: CSSuggestion?

    /// Creates a context that requests no attributes.
    public override init() { super.init() }

    /// Creates a context for the search that follows when a person chooses a suggestion.
    public init(currentSuggestion: CSSuggestion?) {
        self.currentSuggestion = currentSuggestion
        super.init()
    }

    /// Returns a copy; later changes to one context don't affect the other.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = CSUserQueryContext(currentSuggestion: currentSuggestion)
        copySettings(into: copy)
        (copy.maxResultCount, copy.maxSuggestionCount) = (maxResultCount, maxSuggestionCount)
        (copy.maxRankedResultCount, copy.enableRankedResults) = (maxRankedResultCount, enableRankedResults)
        copy.disableSemanticSearch = disableSemanticSearch
        return copy
    }

    /// Writes the context to an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(Int64(maxResultCount), forKey: Key.maxResultCount)
        coder.encode(Int64(maxSuggestionCount), forKey: Key.maxSuggestionCount)
        coder.encode(Int64(maxRankedResultCount), forKey: Key.maxRankedResultCount)
        coder.encode(enableRankedResults, forKey: Key.enableRankedResults)
        coder.encode(disableSemanticSearch, forKey: Key.disableSemanticSearch)
        coder.encode(currentSuggestion, forKey: Key.currentSuggestion)
    }

    /// Reads a context from an archive.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        maxResultCount = Int(clamping: coder.decodeInt64(forKey: Key.maxResultCount))
        maxSuggestionCount = Int(clamping: coder.decodeInt64(forKey: Key.maxSuggestionCount))
        maxRankedResultCount = Int(clamping: coder.decodeInt64(forKey: Key.maxRankedResultCount))
        enableRankedResults = coder.decodeBool(forKey: Key.enableRankedResults)
        disableSemanticSearch = coder.decodeBool(forKey: Key.disableSemanticSearch)
        currentSuggestion = coder.decodeObject(of: CSSuggestion.self, forKey: Key.currentSuggestion)
    }

    /// The keys of the values in an archive.
    private enum Key {
        static let maxResultCount = "maxResultCount"
        static let maxSuggestionCount = "maxSuggestionCount"
        static let maxRankedResultCount = "maxRankedResultCount"
        static let enableRankedResults = "enableRankedResults"
        static let disableSemanticSearch = "disableSemanticSearch"
        static let currentSuggestion = "currentSuggestion"
    }
}
