import BatonCore
import Foundation

/// Converts the payload of an activity between the values of the app and those of the node.
enum UserInfo {
    /// Converts a payload to the values of the node; ends the program if a value can't be converted, as Apple's class
    /// does.
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

    /// Converts a payload to the values of the app: Swift's strings, dates, data, URLs and collections, and `NSNumber`.
    static func dictionary(_ properties: [PropertyValue: PropertyValue]) -> [AnyHashable: Any] {
        let pairs = properties.map { key, value in (hashable(key), value.swiftValue) }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Returns a key as a Swift value.
    ///
    /// On Linux, an `NSNumber` has another hash than a Swift number, so Swift code would not find the key.
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
