public import Foundation

/// A thing that the app indexes, so that searches can find it.
open class CSSearchableItem: NSObject, NSSecureCoding, NSCopying {
    /// The identifier, which no other item of the app may have.
    ///
    /// If the app gives no identifier, it is a UUID. The app needs the identifier to update or delete the item later.
    open var uniqueIdentifier: String
    /// The domain of the item; for example, `account.mailbox`.
    ///
    /// Deleting a domain deletes the items in this domain and in all domains below it.
    open var domainIdentifier: String?
    /// The attributes of the item.
    open var attributeSet: CSSearchableItemAttributeSet
    /// Whether indexing the item updates an item in the index instead of replacing it.
    ///
    /// Attributes that the app has set replace those in the index. Attributes that the app has set to nil are removed.
    /// All other attributes stay. If there is no such item in the index, the update has no effect.
    open var isUpdate = false
    /// The changes of attributes by the operating system that the app wants to be told of.
    ///
    /// On Linux, the operating system makes no such changes.
    open var updateListenerOptions: UpdateListenerOptions = []

    /// The expiration date that the app has set; nil if the app has set none.
    private(set) var chosenExpirationDate: Date?
    /// The default expiration date: a month after this object was created.
    private let defaultExpirationDate: Date
    /// The position of the item among the results of its query, counted from 0; nil if the item is not a result.
    var rank: Int?

    /// The date after which the item is no longer found, and is deleted.
    ///
    /// If the app sets no date, the item expires a month after it is indexed. Setting nil restores this default. Set
    /// `Date.distantFuture` if the item should never expire. If a query has found the item, this is the date that is
    /// stored in the index.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var expirationDate: Date! {
        get { chosenExpirationDate ?? defaultExpirationDate }
        set { chosenExpirationDate = newValue }
    }

    /// Creates an item; if no identifier is given, the item gets a UUID.
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

    /// How long an item stays in the index if the app sets no expiration date: a month, in seconds.
    static let lifetime: TimeInterval = 30 * 86_400

    // MARK: Ranks

    /// Compares the ranks of two results of the same query; the better result comes first.
    ///
    /// Items that are not results come after all results, and are equal to each other.
    open func compare(byRank other: CSSearchableItem) -> ComparisonResult {
        let (place, otherPlace) = (rank ?? .max, other.rank ?? .max)
        return place == otherPlace
            ? .orderedSame : place < otherPlace ? .orderedAscending : .orderedDescending
    }

    // MARK: Updates by a system

    /// The changes of attributes by the operating system that an app can be told of.
    public struct UpdateListenerOptions: OptionSet, Sendable {
        /// The bits of the set.
        public let rawValue: UInt

        /// Creates a set from its bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Changes of the summary in `textContentSummary`.
        public static let summarization = UpdateListenerOptions(rawValue: 1 << 1)
        /// Changes of the urgency in `isPriority`.
        public static let priority = UpdateListenerOptions(rawValue: 1 << 2)
    }

    // MARK: Copies and archives

    /// Returns a copy of the item, with its own copy of the attributes.
    open func copy(with zone: NSZone? = nil) -> Any {
        let attributes = attributeSet.copy() as? CSSearchableItemAttributeSet
        let copy = CSSearchableItem(
            uniqueIdentifier: uniqueIdentifier, domainIdentifier: domainIdentifier,
            attributeSet: attributes ?? CSSearchableItemAttributeSet())
        copy.chosenExpirationDate = chosenExpirationDate
        (copy.isUpdate, copy.updateListenerOptions, copy.rank) = (isUpdate, updateListenerOptions, rank)
        return copy
    }

    /// Whether items can be decoded securely from an archive.
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

    /// The keys of the values in an archive.
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

    /// A hash value, which is the same for equal items.
    open override var hash: Int { uniqueIdentifier.hashValue }

    /// The identifier, the domain and the attributes of the item.
    open override var description: String {
        let domain = domainIdentifier.map { " in “\($0)”" } ?? ""
        return "<\(type(of: self)): “\(uniqueIdentifier)”\(domain), \(attributeSet)>"
    }
}

extension CSSearchableItem: CVarArg {
    /// The encoding of the item's description, so that `%@` formats the item.
    public var _cVarArgEncoding: [Int] { FormatArguments.encoding(of: self) }
}
