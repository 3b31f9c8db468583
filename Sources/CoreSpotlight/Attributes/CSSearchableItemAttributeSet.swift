package import BatonCore
public import Foundation
public import UniformTypeIdentifiers

/// The attributes of an item or an activity, which searches use and show.
///
/// Only attributes that have a value take memory. Change a set from only one thread at a time.
open class CSSearchableItemAttributeSet: NSObject, NSCopying, NSSecureCoding {
    /// The attributes that have a value, in the form in which the index stores them.
    package private(set) var attributes: AttributeSet
    /// The attributes that the app has set to nil; an update of an item removes these attributes.
    private(set) var removed: Set<FieldName> = []
    /// The attributes that the app has set to a value that an index can't store, each with a sentence for the error.
    private(set) var refused: [FieldName: String] = [:]
    /// The exact dates that the app has set, if the index stores them a little less exactly.
    ///
    /// The index counts time from 1970, but `Date` counts from 2001, so rounding can differ.
    private var exactDates: [FieldName: [Date]] = [:]

    /// Creates a set without attributes.
    public override init() {
        attributes = AttributeSet()
        super.init()
    }

    /// Creates a set for content of a type.
    public init(contentType: UTType) {
        attributes = AttributeSet()
        super.init()
        self.contentType = contentType.identifier
    }

    /// Creates a set for content of a type that is given by its identifier.
    @available(*, deprecated, message: "Use init(contentType:) with a UTType.")
    public init(itemContentType: String) {
        attributes = AttributeSet()
        super.init()
        contentType = itemContentType
    }

    /// Creates a set with the attributes that are stored in an index.
    package init(_ attributes: AttributeSet) {
        self.attributes = attributes
        super.init()
    }

    // MARK: Custom attributes

    /// Sets an attribute that the app has defined; nil removes it.
    ///
    /// The value may be an `NSString`, `NSNumber`, `NSDate`, `NSData`, `NSNull` or `CSPerson`, or an `NSArray` of
    /// these. If an item has any other value, the index refuses the item.
    open func setValue(_ value: (any NSSecureCoding)?, forCustomKey key: CSCustomAttributeKey) {
        let name = key.attribute.field
        guard let value else { return set(name, nil) }
        guard let property = PropertyValue(value), CustomAttribute.accepts(property) else {
            set(name, nil)
            refused[name] =
                "The custom attribute “\(key.keyName)” can't have a value of type \(type(of: value))."
            return
        }
        set(name, property)
    }

    /// Returns the value of an attribute that the app has defined.
    open func value(forCustomKey key: CSCustomAttributeKey) -> (any NSSecureCoding)? {
        guard case .plain(let value) = attributes[key.attribute.field] else { return nil }
        return value.object
    }

    // MARK: Values

    /// Sets an attribute; nil removes it.
    func set(_ name: FieldName, _ value: PropertyValue?) {
        attributes[name] = value.map { .plain($0) }
        if value == nil { removed.insert(name) } else { removed.remove(name) }
        refused[name] = nil
        exactDates[name] = nil
    }

    /// Sets an attribute to one or more dates, so that the app later reads exactly the same dates.
    fileprivate func set(_ name: FieldName, _ dates: [Date], _ value: PropertyValue) {
        set(name, value)
        if dates.contains(where: { PropertyValue.date($0.timeIntervalSince1970).date != $0 }) {
            exactDates[name] = dates
        }
    }

    /// Returns the dates of an attribute as the app has set them; nil if the index stores them exactly.
    fileprivate func exactDates(of attribute: Attribute) -> [Date]? { exactDates[.number(attribute.number)] }

    // MARK: Copies and archives

    /// Returns a copy; later changes to one set don't affect the other.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CSSearchableItemAttributeSet(attributes)
        (copy.removed, copy.refused, copy.exactDates) = (removed, refused, exactDates)
        return copy
    }

    /// Whether sets can be decoded securely from an archive.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the set to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(Data(attributes.fields.encoded) as NSData, forKey: Key.attributes)
        let removals = Fields { fields in
            for name in removed.sorted() { fields.field(name) { $0.null() } }
        }
        coder.encode(Data(removals.encoded) as NSData, forKey: Key.removed)
    }

    /// Reads a set from an archive.
    public required init?(coder: NSCoder) {
        guard let encoded = coder.decodeObject(of: NSData.self, forKey: Key.attributes),
            let fields = Fields(archived: encoded as Data), let attributes = AttributeSet(fields),
            let removals = coder.decodeObject(of: NSData.self, forKey: Key.removed),
            let removed = Fields(archived: removals as Data)
        else { return nil }
        self.attributes = attributes
        self.removed = Set(removed.map(\.name).filter(AttributeSet.holds))
        super.init()
    }

    /// The keys of the values in an archive.
    private enum Key {
        static let attributes = "attributes"
        static let removed = "removed"
    }

    // MARK: Comparing and describing

    /// Whether the other object is a set with the same attributes.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CSSearchableItemAttributeSet else { return false }
        return attributes == other.attributes
    }

    /// A hash value, which is the same for equal sets.
    open override var hash: Int {
        var hasher = Hasher()
        for entry in attributes.entries { hasher.combine(entry.name) }
        hasher.combine(attributes.value(.title))
        return hasher.finalize()
    }

    /// The names and the values of the attributes.
    open override var description: String {
        let attributes = attributes.entries.map { "\($0.name.attributeName) = \($0.value.shortDescription)" }
        return "<\(type(of: self)): \(attributes.joined(separator: "; "))>"
    }
}

extension CSSearchableItemAttributeSet: CVarArg {
    /// The encoding of the set's description, so that `%@` formats the set.
    public var _cVarArgEncoding: [Int] { FormatArguments.encoding(of: self) }
}

// MARK: Typed values

extension CSSearchableItemAttributeSet {
    subscript(_ attribute: Attribute) -> String? {
        get { attributes.value(attribute)?.text }
        set {
            set(
                .number(attribute.number),
                newValue.map { text in CSLocalizedString.last(as: text)?.value ?? .string(text) })
        }
    }

    subscript(_ attribute: Attribute) -> [String]? {
        get { attributes.value(attribute)?.elements?.compactMap(\.text) }
        set { set(.number(attribute.number), newValue.map { .array($0.map { .string($0) }) }) }
    }

    subscript(_ attribute: Attribute) -> NSNumber? {
        get { attributes.value(attribute)?.number }
        set { set(.number(attribute.number), newValue.map { PropertyValue($0) }) }
    }

    subscript(_ attribute: Attribute) -> Date? {
        get { exactDates(of: attribute)?.first ?? attributes.value(attribute)?.date }
        set {
            let name = FieldName.number(attribute.number)
            guard let newValue else { return set(name, nil) }
            set(name, [newValue], .date(newValue.timeIntervalSince1970))
        }
    }

    subscript(_ attribute: Attribute) -> [Date]? {
        get { exactDates(of: attribute) ?? attributes.value(attribute)?.elements?.compactMap(\.date) }
        set {
            let name = FieldName.number(attribute.number)
            guard let newValue else { return set(name, nil) }
            set(name, newValue, .array(newValue.map { .date($0.timeIntervalSince1970) }))
        }
    }

    subscript(_ attribute: Attribute) -> Data? {
        get {
            guard case .data(let bytes) = attributes.value(attribute) else { return nil }
            return Data(bytes)
        }
        set { set(.number(attribute.number), newValue.map { .data(Array($0)) }) }
    }

    subscript(_ attribute: Attribute) -> URL? {
        get {
            guard case .url(let address) = attributes.value(attribute) else { return nil }
            return URL(string: address)
        }
        set { set(.number(attribute.number), newValue.map { .url($0.absoluteString) }) }
    }

    subscript(_ attribute: Attribute) -> UTType? {
        get { attributes.value(attribute)?.string.map { UTType($0) ?? UTType(importedAs: $0) } }
        set { set(.number(attribute.number), newValue.map { .string($0.identifier) }) }
    }

    subscript(_ attribute: Attribute) -> [CSPerson]? {
        get { attributes.value(attribute)?.elements?.compactMap { CSPerson($0) } }
        set { set(.number(attribute.number), newValue.map { .array($0.map(\.value)) }) }
    }

    /// The values of each header, keyed by the name of the header.
    ///
    /// If a header has a value that an index can't store, the index refuses the item.
    subscript(_ attribute: Attribute) -> [String: [Any]]? {
        get {
            guard let pairs = attributes.value(attribute)?.pairs else { return nil }
            let headers = pairs.compactMap { name, values -> (String, [Any])? in
                guard let name = name.string, let values = values.elements else { return nil }
                return (name, values.map(\.swiftValue))
            }
            return Dictionary(headers) { first, _ in first }
        }
        set {
            let name = FieldName.number(attribute.number)
            guard let newValue else { return set(name, nil) }
            var pairs: [PropertyValue: PropertyValue] = [:]
            for (header, values) in newValue {
                guard let value = PropertyValue(values) else {
                    set(name, nil)
                    refused[name] = "The header “\(header)” has a value that can't be in a property list."
                    return
                }
                pairs[.string(header)] = value
            }
            set(name, .dictionary(pairs))
        }
    }
}

// MARK: Names and archives

extension FieldName {
    /// The name of the attribute that the field holds, for messages to a person.
    var attributeName: String {
        switch self {
        case .number(let number): Attribute(number: number)?.name ?? "attribute \(number)"
        case .custom(let bytes): String(decoding: bytes, as: UTF8.self)
        case .part(let number, _): "part of \(number)"
        }
    }
}

extension AttributeValue {
    /// The value in a short form for a person: data is shown as the number of bytes, and long texts are cut.
    fileprivate var shortDescription: String {
        switch self {
        case .plain(let value): value.summary.count > 80 ? value.summary.prefix(80) + "…" : value.summary
        case .sealed: "sealed"
        case .unknown(let bytes): "\(bytes.count) bytes of a newer version"
        }
    }
}

extension Fields {
    /// Decodes fields from an archive; nil if the data is something else.
    fileprivate init?(archived data: Data) {
        do throws(CBORError) {
            self = try CBORReader.whole(Array(data)[...]) { (reader) throws(CBORError) in
                try Fields(from: &reader)
            }
        } catch {
            return nil
        }
    }
}

extension AttributeSet {
    /// Decodes attributes from fields; nil if an attribute can't be decoded.
    init?(_ fields: Fields) {
        do throws(CBORError) {
            var reader = CBORReader(fields.encoded)
            self = try Item(domain: nil, from: &reader).attributes
        } catch {
            return nil
        }
    }
}
