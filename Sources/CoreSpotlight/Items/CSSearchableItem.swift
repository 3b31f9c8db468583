public import Foundation

/// A thing that an app makes findable.
open class CSSearchableItem: NSObject, NSSecureCoding, NSCopying {
    /// The identifier, which is unique within the app.
    ///
    /// If the app gave none, it is a UUID, which the app needs to update or delete the item later.
    open var uniqueIdentifier: String
    /// The domain of the item, such as `account.mailbox`; deleting a domain deletes the items in it and in the domains
    /// below it.
    open var domainIdentifier: String?
    /// The attributes of the item.
    open var attributeSet: CSSearchableItemAttributeSet
    /// Whether indexing the item changes an item that is in the index, instead of replacing it.
    ///
    /// Attributes that were set replace those of the index, attributes that were set to nil are removed, and all others
    /// stay. An update of an item that is not in the index has no effect.
    open var isUpdate = false
    /// The changes that a system makes to attributes and of which the app wants to be notified.
    ///
    /// Nothing on Linux makes such changes.
    open var updateListenerOptions: UpdateListenerOptions = []

    /// The date that the app set; nil if it set none.
    private(set) var chosenExpirationDate: Date?
    /// A month after the item was made.
    private let defaultExpirationDate: Date
    /// The place of the item among the results of its query, from 0; nil if it is not a result.
    var rank: Int?

    /// The date after which the item is no longer found, and is deleted.
    ///
    /// If none was set, that is a month after the item is indexed. Setting nil restores this default. Set
    /// `Date.distantFuture` for an item that stays. An item that a query found has the date that the index has.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var expirationDate: Date! {
        get { chosenExpirationDate ?? defaultExpirationDate }
        set { chosenExpirationDate = newValue }
    }

    /// Creates an item; without an identifier it gets a UUID.
    public init(
        uniqueIdentifier: String?, domainIdentifier: String?, attributeSet: CSSearchableItemAttributeSet
    ) {
        self.uniqueIdentifier = uniqueIdentifier ?? UUID().uuidString
        self.domainIdentifier = domainIdentifier
        self.attributeSet = attributeSet
        defaultExpirationDate = Date(timeIntervalSinceNow: Self.lifetime)
        super.init()
    }

    /// Creates an item with a UUID as its identifier and without attributes.
    public override convenience init() {
        self.init(uniqueIdentifier: nil, domainIdentifier: nil, attributeSet: CSSearchableItemAttributeSet())
    }

    /// The time that an item stays if the app says nothing: a month, in seconds.
    static let lifetime: TimeInterval = 30 * 86_400

    // MARK: Ranks

    /// Compares the places of two results of one query; the better one comes first.
    ///
    /// Items that are not results come after all results, and compare as equal.
    open func compare(byRank other: CSSearchableItem) -> ComparisonResult {
        let (place, otherPlace) = (rank ?? .max, other.rank ?? .max)
        return place == otherPlace
            ? .orderedSame : place < otherPlace ? .orderedAscending : .orderedDescending
    }

    // MARK: Updates by a system

    /// The changes of attributes that an app wants to be notified of.
    public struct UpdateListenerOptions: OptionSet, Sendable {
        /// The bits of the set.
        public let rawValue: UInt

        /// Creates a set from its bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Summaries of texts, in `textContentSummary`.
        public static let summarization = UpdateListenerOptions(rawValue: 1 << 1)
        /// Judgements of urgency, in `isPriority`.
        public static let priority = UpdateListenerOptions(rawValue: 1 << 2)
    }

    // MARK: Copies and archives

    /// Returns a copy with a copy of the attributes.
    open func copy(with zone: NSZone? = nil) -> Any {
        let attributes = attributeSet.copy() as? CSSearchableItemAttributeSet
        let copy = CSSearchableItem(
            uniqueIdentifier: uniqueIdentifier, domainIdentifier: domainIdentifier,
            attributeSet: attributes ?? CSSearchableItemAttributeSet())
        copy.chosenExpirationDate = chosenExpirationDate
        (copy.isUpdate, copy.updateListenerOptions, copy.rank) = (isUpdate, updateListenerOptions, rank)
        return copy
    }

    /// Whether items can be read securely from an archive.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the item to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(uniqueIdentifier as NSString, forKey: Key.uniqueIdentifier)
        coder.encode(domainIdentifier.map { $0 as NSString }, forKey: Key.domainIdentifier)
        coder.encode(attributeSet, forKey: Key.attributeSet)
        coder.encode(chosenExpirationDate.map { $0 as NSDate }, forKey: Key.expirationDate)
        coder.encode(isUpdate, forKey: Key.isUpdate)
        coder.encode(
            Int64(bitPattern: UInt64(updateListenerOptions.rawValue)), forKey: Key.updateListenerOptions)
    }

    /// Reads an item from an archive.
    public required init?(coder: NSCoder) {
        guard let identifier = coder.decodeObject(of: NSString.self, forKey: Key.uniqueIdentifier),
            let attributes = coder.decodeObject(
                of: CSSearchableItemAttributeSet.self, forKey: Key.attributeSet)
        else { return nil }
        (uniqueIdentifier, attributeSet) = (identifier as String, attributes)
        domainIdentifier =
            coder.decodeObject(of: NSString.self, forKey: Key.domainIdentifier).map { $0 as String }
        chosenExpirationDate =
            coder.decodeObject(of: NSDate.self, forKey: Key.expirationDate).map { $0 as Date }
        defaultExpirationDate = Date(timeIntervalSinceNow: Self.lifetime)
        isUpdate = coder.decodeBool(forKey: Key.isUpdate)
        let options = coder.decodeInt64(forKey: Key.updateListenerOptions)
        updateListenerOptions = UpdateListenerOptions(rawValue: UInt(truncatingIfNeeded: options))
        super.init()
    }

    /// The keys in an archive.
    private enum Key {
        static let uniqueIdentifier = "uniqueIdentifier"
        static let domainIdentifier = "domainIdentifier"
        static let attributeSet = "attributeSet"
        static let expirationDate = "expirationDate"
        static let isUpdate = "isUpdate"
        static let updateListenerOptions = "updateListenerOptions"
    }

    // MARK: Comparing and describing

    /// Whether the other object is an item with the same identifiers, date and attributes.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CSSearchableItem else { return false }
        return uniqueIdentifier == other.uniqueIdentifier && domainIdentifier == other.domainIdentifier
            && chosenExpirationDate == other.chosenExpirationDate && isUpdate == other.isUpdate
            && updateListenerOptions == other.updateListenerOptions
            && attributeSet.isEqual(other.attributeSet)
    }

    /// A number that equal items share.
    open override var hash: Int { uniqueIdentifier.hashValue }

    /// The identifiers and the attributes.
    open override var description: String {
        let domain = domainIdentifier.map { " in “\($0)”" } ?? ""
        return "<\(type(of: self)): “\(uniqueIdentifier)”\(domain), \(attributeSet)>"
    }
}

extension CSSearchableItem: CVarArg {
    /// The encoding of the description, for `%@`.
    public var _cVarArgEncoding: [Int] { FormatArguments.encoding(of: self) }
}
