import BatonCore
import Foundation

/// The values of an entity's properties, by which a query is evaluated without the index.
struct EntityContents {
    private let contents: [String: _IntentValueContent]

    /// Reads the properties, and waits for deferred ones.
    init(of entity: any AppEntity) async throws {
        let properties = try await EntityReflection.awaitedProperties(of: entity)
        contents = Dictionary(properties.map { ($0.name, $0.content ?? .none) }) { first, _ in first }
    }

    /// The value of the property with a name; no value if there is no such property.
    subscript(name: String) -> _IntentValueContent { contents[name] ?? .none }

    /// Whether a comparator fits the entity that has these values; `name` is the comparator's property in the source.
    func fit(_ comparator: IndexedComparator, named name: String?, _ entity: any AppEntity) -> Bool {
        let value = name.map { self[$0] } ?? comparator.property?.property(entity)?.content ?? .none
        return comparator.kind.fits(value, comparator.inputs)
    }
}

extension _IntentValueContent {
    /// The value as the index sorts by it.
    var sortKey: SortKey {
        switch self {
        case .none, .components: .missing
        case .text(let text): SortKey(.string(text))
        case .integer(let number): SortKey(.integer(Int64(number)))
        case .real(let number): SortKey(.real(number))
        case .flag(let isOn): SortKey(.boolean(isOn))
        case .date(let date): SortKey(.date(date.timeIntervalSince1970))
        case .url(let url): SortKey(.url(url.absoluteString))
        case .measurement(let number, _): SortKey(.real(number))
        case .money(let amount, _): SortKey(.real(NSDecimalNumber(decimal: amount).doubleValue))
        case .entity(_, let identifier): SortKey(.string(identifier))
        case .file(let name, _, _, _): SortKey(.string(name))
        case .list(let elements): elements.first?.sortKey ?? .missing
        }
    }
}
