/// The changes to the properties of an activity that an app starts or updates.
///
/// A property that is nil here does not change in the activity. An empty title removes the title.
package struct ActivityChange: Equatable, Sendable {
    package var title: String?
    package var set: [PropertyValue: PropertyValue] = [:]
    package var removed: Set<PropertyValue> = []
    package var webpage: String?
    package var keywords: Set<String>?
    package var expiration: WallTime?
    package var requiredKeys: Set<String>?
    package var referrer: String?
    package var targetContentIdentifier: String?
    package var persistentIdentifier: String?
    package var eligibility: Eligibility?
    package var supportsStreams: Bool?
    package var attributes: AttributeSet?
    /// Whether the activity's content is sealed.
    package var isProtected: Bool?
    /// Whether properties that are nil here are reset to the values of a new activity.
    package var replaces = false

    package init() {}

    /// Whether an activity is protected after this change; `before` says whether it was protected before.
    package func protects(_ before: Bool) -> Bool { isProtected ?? (before && !replaces) }

    /// Applies the changes to an activity whose content is not sealed; the caller seals it afterwards.
    package func apply(to activity: inout Activity) {
        if replaces { activity = activity.begun }
        if let title { activity.title = title.isEmpty ? nil : title }
        for key in removed { activity.info[key] = nil }
        activity.info.merge(set) { $1 }
        if let webpage { activity.webpage = webpage }
        if let keywords { activity.keywords = keywords }
        if let expiration { activity.expiration = expiration }
        if let requiredKeys { activity.requiredKeys = requiredKeys }
        if let referrer { activity.referrer = referrer }
        if let targetContentIdentifier { activity.targetContentIdentifier = targetContentIdentifier }
        if let persistentIdentifier { activity.persistentIdentifier = persistentIdentifier }
        if let eligibility { activity.eligibility = eligibility }
        if let supportsStreams { activity.supportsStreams = supportsStreams }
        if let attributes { activity.attributes = attributes }
    }
}

extension ActivityChange: LocalValue {
    func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1, title) { $0.text($1) }
            fields.field(2, set.isEmpty ? nil : set) { PropertyValue.dictionary($1).encode(to: &$0) }
            fields.field(3, removed.isEmpty ? nil : removed) { PropertyValue.set($1).encode(to: &$0) }
            fields.field(4, webpage) { $0.text($1) }
            fields.field(5, keywords) { $0.textSet($1) }
            fields.field(6, expiration) { $0.integer($1.milliseconds) }
            fields.field(7, requiredKeys) { $0.textSet($1) }
            fields.field(8, referrer) { $0.text($1) }
            fields.field(9, targetContentIdentifier) { $0.text($1) }
            fields.field(10, persistentIdentifier) { $0.text($1) }
            fields.field(11, eligibility) { $0.unsigned($1.rawValue) }
            fields.field(12, supportsStreams) { $0.boolean($1) }
            fields.field(13, attributes) { writer, attributes in
                attributes.fields.encode(to: &writer)
            }
            fields.flag(14, replaces)
            fields.field(15, isProtected) { $0.boolean($1) }
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        var change = ActivityChange()
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: change.title = try reader.text()
            case 2: change.set = try PropertyValue(from: &reader).pairs.required(2, in: reader)
            case 3: change.removed = try PropertyValue(from: &reader).members.required(3, in: reader)
            case 4: change.webpage = try reader.text()
            case 5: change.keywords = try reader.textSet()
            case 6: change.expiration = WallTime(milliseconds: try reader.integer())
            case 7: change.requiredKeys = try reader.textSet()
            case 8: change.referrer = try reader.text()
            case 9: change.targetContentIdentifier = try reader.text()
            case 10: change.persistentIdentifier = try reader.text()
            case 11: change.eligibility = Eligibility(rawValue: try reader.unsigned())
            case 12: change.supportsStreams = try reader.boolean()
            case 13:
                var attributes = AttributeSet()
                _ = try reader.fields(try reader.fieldCount()) { (name, reader) throws(CBORError) in
                    try attributes.append(name, &reader)
                }
                change.attributes = attributes
            case 14: change.replaces = try reader.boolean()
            case 15: change.isProtected = try reader.boolean()
            default: break
            }
        }
        self = change
    }
}
