import BatonCore
import CoreSpotlight
import Foundation

/// Finds the name of the attribute to which a key path leads.
///
/// A key path does not tell its name on Linux. So a value is written to an empty set, and the attribute is the one that
/// the set has then.
enum AttributeName {
    /// Values of all types that attributes have.
    private static let probes: [_IntentValueContent] = [
        .text("x"), .integer(1), .date(Date(timeIntervalSince1970: 0)), .url(URL(fileURLWithPath: "/")),
        .file(name: "x", type: nil, url: nil, data: Data([1])),
    ]

    /// Returns the name as queries have it; nil if the attribute has a type that no property can be written to.
    static func of(_ path: PartialKeyPath<CSSearchableItemAttributeSet>) -> String? {
        for probe in probes {
            let set = CSSearchableItemAttributeSet()
            IndexedValue(probe).write(to: path, of: set)
            for entry in set.attributes.entries {
                if case .number(let number) = entry.name, let attribute = Attribute(number: number) {
                    return attribute.name
                }
            }
        }
        return nil
    }
}

extension ReflectedProperty {
    /// The name of the attribute with the value as queries have it, and whether the app defines that attribute; nil if
    /// the value is not in the index.
    var queriedAttribute: (name: String, isCustom: Bool)? {
        if let customAttribute { return (customAttribute.keyName, true) }
        return attribute.flatMap { AttributeName.of($0) }.map { ($0, false) }
    }
}
