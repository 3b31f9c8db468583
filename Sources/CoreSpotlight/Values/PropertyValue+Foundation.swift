package import BatonCore
import Foundation

// Conversions between values of Foundation and this module, and values of the protocol. The kind of a number is found
// from its `objCType`. A cast can't tell the kind, because `NSNumber(value: 1) is Bool` is true.

extension PropertyValue {
    /// Converts an object or a Swift value; nil if it is not allowed in a property list, or contains such a value.
    package init?(_ value: Any) {
        switch value {
        case let value as CSLocalizedString: self = value.value
        case let value as String: self = .string(value)
        case let value as NSString: self = .string(value as String)
        case let value as NSNumber: self.init(value)
        case let value as Date: self = .date(value.timeIntervalSince1970)
        case let value as NSDate: self = .date(value.timeIntervalSince1970)
        case let value as Data: self = .data(Array(value))
        case let value as NSData: self = .data(Array(value as Data))
        case let value as URL: self = .url(value.absoluteString)
        case let value as NSURL: self = .url((value as URL).absoluteString)
        case let value as UUID: self.init(value)
        case let value as NSUUID: self.init(value as UUID)
        case is NSNull: self = .null
        case let value as CSPerson: self = value.value
        default: self.init(collection: value)
        }
    }

    private init?(collection value: Any) {
        switch value {
        case let values as [Any]: self.init(array: values)
        case let values as NSArray: self.init(array: values as! [Any])
        case let values as Set<AnyHashable>: self.init(set: values)
        case let values as NSSet: self.init(set: values as! Set<AnyHashable>)
        case let pairs as [AnyHashable: Any]: self.init(dictionary: pairs)
        case let pairs as NSDictionary: self.init(dictionary: pairs as! [AnyHashable: Any])
        default: return nil
        }
    }

    /// Converts a number to a boolean, an integer or a real number, depending on the type from which the `NSNumber` was
    /// made.
    ///
    /// An integer that does not fit a signed 64-bit number becomes a real number.
    init(_ number: NSNumber) {
        // On Linux, only a boolean has the type `char`, because Foundation stores other bytes in a larger type.
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "c"), UInt8(ascii: "B"): self = .boolean(number.boolValue)
        case UInt8(ascii: "f"), UInt8(ascii: "d"): self = .real(number.doubleValue)
        case UInt8(ascii: "Q"), UInt8(ascii: "L"):
            self = Int64(exactly: number.uint64Value).map { .integer($0) } ?? .real(number.doubleValue)
        default: self = .integer(number.int64Value)
        }
    }

    private init(_ value: UUID) {
        self = .uuid(withUnsafeBytes(of: value.uuid) { Array($0) })
    }

    private init?(array values: [Any]) {
        var members: [PropertyValue] = []
        members.reserveCapacity(values.count)
        for value in values {
            guard let member = PropertyValue(value) else { return nil }
            members.append(member)
        }
        self = .array(members)
    }

    private init?(set values: Set<AnyHashable>) {
        var members: Set<PropertyValue> = []
        for value in values {
            guard let member = PropertyValue(value.base) else { return nil }
            members.insert(member)
        }
        self = .set(members)
    }

    private init?(dictionary pairs: [AnyHashable: Any]) {
        var dictionary: [PropertyValue: PropertyValue] = [:]
        for (key, value) in pairs {
            guard let key = PropertyValue(key.base), let value = PropertyValue(value) else { return nil }
            dictionary[key] = value
        }
        self = .dictionary(dictionary)
    }
}

extension PropertyValue {
    /// The value as a number, if it is a number or a boolean; otherwise, nil.
    var number: NSNumber? {
        switch self {
        case .integer(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .boolean(let value): NSNumber(value: value)
        default: nil
        }
    }

    /// The value as a date, if it is a date; otherwise, nil.
    var date: Date? {
        if case .date(let seconds) = self { Date(safely: seconds) } else { nil }
    }

    /// The value as a text, if it is a text; a text in several languages gives the text in the person's best language.
    var text: String? {
        switch self {
        case .string(let text): text
        case .dictionary where isText: CSLocalizedString(self)?.localizedString()
        default: nil
        }
    }

    /// The members of the array, if the value is an array; otherwise, nil.
    var elements: [PropertyValue]? {
        if case .array(let values) = self { values } else { nil }
    }

    /// The value as a Swift value.
    ///
    /// It is a `String`, `NSNumber`, `Date`, `Data`, `URL`, `UUID`, `NSNull`, `CSPerson` or `CSLocalizedString`, or an
    /// array, set or dictionary of these.
    package var swiftValue: Any {
        switch self {
        case .string(let text): text
        case .integer(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .boolean(let value): NSNumber(value: value)
        case .data(let bytes): Data(bytes)
        case .date(let seconds): Date(safely: seconds)
        case .url(let address): URL(string: address) ?? address as Any
        case .uuid(let bytes): UUID(bytes)
        case .null: NSNull()
        case .array(let values): values.map(\.swiftValue)
        case .set(let values): Set(values.map(\.hashable))
        case .dictionary(let pairs):
            Dictionary(pairs.map { ($0.key.hashable, $0.value.swiftValue) }) { first, _ in first }
        }
    }

    /// The value in a form that can be a key of a dictionary or a member of a set.
    private var hashable: AnyHashable {
        switch self {
        case .string(let text): text
        case .integer(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .boolean(let value): NSNumber(value: value)
        case .data(let bytes): Data(bytes)
        case .date(let seconds): Date(safely: seconds)
        case .url(let address): URL(string: address).map { AnyHashable($0) } ?? AnyHashable(address)
        case .uuid(let bytes): UUID(bytes)
        case .null: NSNull()
        case .array(let values): values.map(\.hashable)
        case .set(let values): Set(values.map(\.hashable))
        case .dictionary(let pairs):
            Dictionary(pairs.map { ($0.key.hashable, $0.value.hashable) }) { first, _ in first }
        }
    }

    /// The value as an object that can be archived.
    var object: any NSSecureCoding {
        switch self {
        case .string(let text): text as NSString
        case .integer(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .boolean(let value): NSNumber(value: value)
        case .data(let bytes): Data(bytes) as NSData
        case .date(let seconds): Date(safely: seconds) as NSDate
        case .url(let address): URL(string: address).map { $0 as NSURL } ?? address as NSString
        case .uuid(let bytes): UUID(bytes) as NSUUID
        case .null: NSNull()
        case .array(let values): values.map(\.object) as NSArray
        case .set(let values): Set(values.map(\.hashable)) as NSSet
        case .dictionary where isPerson: CSPerson(self) ?? NSNull()
        case .dictionary where isText: CSLocalizedString(self) ?? NSNull()
        case .dictionary(let pairs):
            Dictionary(pairs.map { ($0.key.hashable, $0.value.object as Any) }) { first, _ in first }
                as NSDictionary
        }
    }
}

extension PropertyValue {
    /// A description for a person; equal values have equal descriptions.
    var summary: String {
        switch self {
        case .string(let text), .url(let text): text
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .boolean(let value): "\(value)"
        case .data(let bytes): "\(bytes.count) bytes"
        case .date(let seconds): Date(safely: seconds).description
        case .uuid(let bytes): UUID(bytes).uuidString
        case .null: "null"
        case .array(let values): "[\(values.map(\.summary).joined(separator: ", "))]"
        case .set(let values): "[\(values.map(\.summary).sorted().joined(separator: ", "))]"
        case .dictionary where isPerson: CSPerson(self)?.description ?? ""
        case .dictionary where isText: text ?? ""
        case .dictionary(let pairs):
            "[\(pairs.map { "\($0.key.summary): \($0.value.summary)" }.sorted().joined(separator: ", "))]"
        }
    }
}

extension Date {
    /// Creates a date from the seconds since 1970, limited to dates that Foundation can describe.
    ///
    /// The number may come from an unknown source. For dates outside the limits, `description` would end the program.
    fileprivate init(safely seconds: Double) {
        let most = 1e13
        self.init(timeIntervalSince1970: seconds.isNaN ? 0 : min(max(seconds, -most), most))
    }
}

extension UUID {
    /// Creates a UUID from its sixteen bytes.
    fileprivate init(_ bytes: [UInt8]) { self = NSUUID(uuidBytes: bytes) as UUID }
}

extension WallTime {
    /// Creates a time from a date, rounded to the millisecond and limited to the range of the type.
    init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        self.init(
            milliseconds: Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max))
    }

    /// The time as a date.
    var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
