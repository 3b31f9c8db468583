import CoreSpotlight
import Foundation

/// A path to an attribute.
private typealias Path<Value> = ReferenceWritableKeyPath<CSSearchableItemAttributeSet, Value>

/// The value of a property on its way into an attribute.
///
/// Any attribute may be named for any property, so the value is turned into the attribute's type, or else left out.
struct IndexedValue {
    let content: _IntentValueContent

    init(_ content: _IntentValueContent) { self.content = content }

    /// Writes the value to an attribute of any type; without a value, removes the attribute.
    func write(
        to attribute: PartialKeyPath<CSSearchableItemAttributeSet>,
        of attributes: CSSearchableItemAttributeSet
    ) {
        switch attribute {
        case let path as Path<String?>: attributes[keyPath: path] = text
        case let path as Path<[String]?>: attributes[keyPath: path] = texts
        case let path as Path<NSNumber?>: attributes[keyPath: path] = number
        case let path as Path<Date?>: attributes[keyPath: path] = date
        case let path as Path<[Date]?>: attributes[keyPath: path] = dates
        case let path as Path<URL?>: attributes[keyPath: path] = url
        case let path as Path<Data?>: attributes[keyPath: path] = data
        default: break
        }
    }

    /// The value as an attribute of the app's own has it; nil for none.
    var object: (any NSSecureCoding)? {
        switch content {
        case .none: return nil
        case .integer, .real, .flag: return number
        case .date(let date): return date as NSDate
        case .components: return date.map { $0 as NSDate }
        case .file: return data.map { $0 as NSData }
        case .list(let elements):
            return elements.compactMap { IndexedValue($0).object as? NSObject } as NSArray
        default: return text.map { $0 as NSString }
        }
    }

    private var text: String? { content.isNone ? nil : content.summary }

    private var texts: [String]? { content.isNone ? nil : content.elements.map(\.summary) }

    private var number: NSNumber? {
        switch content {
        case .integer(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .flag(let isOn): NSNumber(value: isOn)
        case .measurement(let number, _): NSNumber(value: number)
        case .money(let amount, _): NSDecimalNumber(decimal: amount)
        default: nil
        }
    }

    private var date: Date? {
        switch content {
        case .date(let date): date
        case .components(let components): Calendar.current.date(from: components)
        default: nil
        }
    }

    private var dates: [Date]? {
        content.isNone ? nil : content.elements.compactMap { IndexedValue($0).date }
    }

    private var url: URL? {
        switch content {
        case .url(let url): url
        case .file(_, _, let url, _): url
        case .text(let text): URL(string: text)
        default: nil
        }
    }

    private var data: Data? {
        guard case .file(_, _, let url, let data) = content else { return nil }
        return data ?? url.flatMap { try? Data(contentsOf: $0) }
    }
}
