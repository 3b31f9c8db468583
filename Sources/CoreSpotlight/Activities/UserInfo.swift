import BatonCore
import Foundation

/// The payload of an activity, as apps write and read it.
enum UserInfo {
    /// Returns the values for the node; ends the program if one can't be in a property list, as Apple's class does.
    static func properties(_ info: [AnyHashable: Any]) -> [PropertyValue: PropertyValue] {
        var properties: [PropertyValue: PropertyValue] = [:]
        for (key, value) in info {
            guard let name = PropertyValue(key.base) else {
                preconditionFailure(refusal("key", key.base))
            }
            guard let property = PropertyValue(value) else {
                preconditionFailure(refusal("value for “\(key.base)”", value))
            }
            properties[name] = property
        }
        return properties
    }

    private static func refusal(_ what: String, _ value: Any) -> String {
        """
        the userInfo of an activity has a \(what) of type \(type(of: value)); keys and values must be NSArray, NSData, NSDate, \
        NSDictionary, NSNull, NSNumber, NSSet, NSString, NSURL or NSUUID, or Swift's values of these kinds
        """
    }

    /// Returns the values for the app: Swift's strings, dates, data, addresses and collections, and `NSNumber`.
    static func dictionary(_ properties: [PropertyValue: PropertyValue]) -> [AnyHashable: Any] {
        let pairs = properties.map { key, value in (hashable(key), value.swiftValue) }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Returns a key as Swift code writes it: on Linux an `NSNumber` does not have the number's hash, so look-ups would
    /// fail.
    private static func hashable(_ key: PropertyValue) -> AnyHashable {
        switch key {
        case .string(let text): text
        case .integer(let number): Int(number)
        case .real(let number): number
        case .boolean(let value): value
        default: key.swiftValue as? AnyHashable ?? AnyHashable("\(key)")
        }
    }
}
