import BatonCore
import Testing

/// A query, an item, and whether the item matches.
struct QueryCase: CustomTestStringConvertible, Sendable {
    let query: String
    let item: Item
    let matches: Bool
    var present = Self.noon

    var testDescription: String { query }

    /// Noon of 20 November 2026, a Friday, in universal time.
    static let noon = PresentTime(WallTime(iso: "2026-11-20T12:00Z") { _ in 0 }!) { _ in 0 }

    /// Pairs queries for one item with the answers.
    static func all(_ item: Item, at present: PresentTime = noon, _ answers: [(String, Bool)]) -> [QueryCase]
    {
        answers.map { QueryCase(query: $0.0, item: item, matches: $0.1, present: present) }
    }

    /// Pairs a query with items of these titles.
    static func titles(_ query: String, _ answers: [(String, Bool)]) -> [QueryCase] {
        answers.map { QueryCase(query: query, item: Item(title: $0.0), matches: $0.1) }
    }

    func check(_ location: SourceLocation = #_sourceLocation) throws {
        let query = try SearchQuery(query, at: present)
        #expect(query.matches(item) == matches, sourceLocation: location)
    }
}

extension Item {
    /// Creates an item with these values.
    init(domain: String? = nil, _ values: [Attribute: PropertyValue], custom: [String: PropertyValue] = [:]) {
        self.init(domain: domain)
        for (attribute, value) in values { attributes[attribute] = .plain(value) }
        for (name, value) in custom { attributes[.custom(Array(name.utf8))] = .plain(value) }
    }

    /// Creates an item with that title.
    init(title: String) { self.init([.title: .string(title)]) }
}

extension PropertyValue {
    /// Creates a date from universal time in ISO 8601.
    static func date(iso text: String) -> PropertyValue {
        .date(Double(WallTime(iso: text) { _ in 0 }!.milliseconds) / 1000)
    }

    static func strings(_ texts: [String]) -> PropertyValue { .array(texts.map { .string($0) }) }

    static func person(_ name: String?, handles: [String]) -> PropertyValue {
        var pairs: [PropertyValue: PropertyValue] = [
            PersonField.handles: .strings(handles), PersonField.handleIdentifier: .string("emailAddresses"),
        ]
        if let name { pairs[PersonField.displayName] = .string(name) }
        return .dictionary(pairs)
    }
}
