import AppIntents
import Support
import Testing

/// A thing with properties of several kinds.
private struct Thing: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Thing"
    static let defaultQuery = ThingQuery()
    let id: Int
    @Property(title: "Name") var name: String
    @Property(title: "Count") var count: Int
    @Property(title: "Day") var day: Date?
    @Property(title: "Genre") var genre: Genre
    @Property(title: "Tags") var tags: [String]
    @ComputedProperty(title: "Double") var double: Int { count * 2 }
    var displayRepresentation: DisplayRepresentation { "\(name)" }

    init(id: Int, _ random: inout SeededGenerator) {
        self.id = id
        name = random.pick(["a", "ab", "b", "ba", ""])
        count = random.number(-2...2)
        day = random.chance(40) ? nil : Date(timeIntervalSince1970: Double(random.number(0...3)))
        genre = random.pick([.fiction, .history, .poetry])
        tags = (0..<random.number(0...2)).map { _ in random.pick(["x", "y"]) }
    }
}

/// A condition as the app writes it.
private struct Fits: Sendable {
    let test: @Sendable (Thing) -> Bool
}

private struct ThingQuery: EntityPropertyQuery {
    /// The entities of the test that runs the query.
    @TaskLocal static var items: [Thing] = []

    static let properties = QueryProperties {
        Property(\Thing.$name) {
            EqualToComparator { value in Fits { $0.name == value } }
            NotEqualToComparator { value in Fits { $0.name != value } }
            ContainsComparator { value in Fits { value.isEmpty || $0.name.contains(value) } }
            HasPrefixComparator { value in Fits { $0.name.hasPrefix(value) } }
            HasSuffixComparator { value in Fits { $0.name.hasSuffix(value) } }
        }
        Property(\Thing.$count) {
            EqualToComparator { value in Fits { $0.count == value } }
            LessThanComparator { value in Fits { $0.count < value } }
            LessThanOrEqualToComparator { value in Fits { $0.count <= value } }
            GreaterThanComparator { value in Fits { $0.count > value } }
            GreaterThanOrEqualToComparator { value in Fits { $0.count >= value } }
            IsBetweenComparator { low, high in Fits { low <= $0.count && $0.count <= high } }
        }
        Property(\Thing.$day) {
            EqualToComparator { value in Fits { $0.day == value } }
            LessThanComparator { value in Fits { $0.day.map { $0 < value } ?? false } }
            GreaterThanOrEqualToComparator { value in Fits { $0.day.map { $0 >= value } ?? false } }
        }
        Property(\Thing.$genre) {
            EqualToComparator { value in Fits { $0.genre == value } }
            NotEqualToComparator { value in Fits { $0.genre != value } }
        }
        Property(\Thing.$tags) { ContainsComparator { value in Fits { $0.tags.contains(value) } } }
        Property(\Thing.$double) { GreaterThanComparator { value in Fits { $0.double > value } } }
    }

    static let sortingOptions = SortingOptions {
        SortableBy(\Thing.$count)
        SortableBy(\Thing.$name)
    }

    func entities(for identifiers: [Int]) async throws -> [Thing] {
        Self.items.filter { identifiers.contains($0.id) }
    }

    func entities(
        matching comparators: [Fits], mode: ComparatorMode, sortedBy: [Sort<Thing>], limit: Int?
    ) async throws -> [Thing] {
        var found = Self.items.filter { item in
            mode == .and
                ? comparators.allSatisfy { $0.test(item) } : comparators.contains { $0.test(item) }
        }
        for sort in sortedBy.reversed() {
            let sign = sort.order == .ascending ? 1 : -1
            switch sort.by {
            case \Thing.$count: found = Self.sorted(found) { ($0.count - $1.count) * sign }
            case \Thing.$name:
                found = Self.sorted(found) { ($0.name < $1.name ? -1 : $0.name == $1.name ? 0 : 1) * sign }
            default: break
            }
        }
        return limit.map { Array(found.prefix($0)) } ?? found
    }

    /// Sorts, and leaves equal items in their order.
    private static func sorted(_ items: [Thing], _ order: (Thing, Thing) -> Int) -> [Thing] {
        items.enumerated().sorted {
            let result = order($0.element, $1.element)
            return result == 0 ? $0.offset < $1.offset : result < 0
        }.map(\.element)
    }
}

@Suite struct `Queries by properties` {
    /// Draws a condition that the query knows.
    private func condition(_ random: inout SeededGenerator) -> EntityQueryCondition {
        let declaration = random.pick(ThingQuery.properties.properties)
        var sampling = SeededGenerator(seed: 0)
        let sample = Thing(id: 0, &sampling)
        let property = declaration.property(sample)
        let comparison = random.pick(declaration.comparisons)
        let name = EntityReflection.name(of: property, in: sample) ?? "?"
        let inputs = (0..<comparison.kind.inputCount).map { _ -> _IntentValueContent in
            switch name {
            case "name": .text(random.pick(["", "a", "ab", "b", "c"]))
            case "count", "double": .integer(random.number(-3...3))
            case "day":
                random.chance(20) && comparison.kind == .equalTo
                    ? .none : .date(Date(timeIntervalSince1970: Double(random.number(0...3))))
            case "genre": .text(random.pick(["fiction", "history", "poetry"]))
            default: .text(random.pick(["x", "y", "z"]))
            }
        }
        return EntityQueryCondition(property: name, kind: comparison.kind, inputs: inputs)
    }

    /// Whether an item fits a condition, by the values that reflection finds in it.
    private func fits(_ item: Thing, _ condition: EntityQueryCondition) -> Bool {
        let property = EntityReflection.properties(of: item).first { $0.name == condition.property }
        return property.map { condition.kind.fits($0.content ?? .none, condition.inputs) } ?? false
    }

    @Test(arguments: 0..<300) func `find the same entities as direct evaluation`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let items = (0..<random.number(0...12)).map { Thing(id: $0, &random) }
        let conditions = (0..<random.number(0...3)).map { _ in condition(&random) }
        let mode: EntityQueryComparatorMode = random.chance(50) ? .and : .or
        let limit = random.chance(30) ? random.number(0...4) : nil
        let sample = Thing(id: 0, &random)
        let found = try await ThingQuery.$items.withValue(items) {
            try await ThingQuery().entities(
                fitting: conditions, mode: mode, sortedBy: [], limit: limit, sample: sample)
        }
        let expected = items.filter { item in
            mode == .and
                ? conditions.allSatisfy { fits(item, $0) } : conditions.contains { fits(item, $0) }
        }
        #expect(found.map(\.id) == expected.prefix(limit ?? .max).map(\.id), "\(conditions)")
    }

    @Test(arguments: 0..<50) func `sort by several properties`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let items = (0..<8).map { Thing(id: $0, &random) }
        let sample = Thing(id: 0, &random)
        let found = try await ThingQuery.$items.withValue(items) {
            try await ThingQuery().entities(
                fitting: [], mode: .and, sortedBy: [("name", .ascending), ("count", .descending)], limit: nil,
                sample: sample)
        }
        let expected = items.sorted { ($0.name, -$0.count, $0.id) < ($1.name, -$1.count, $1.id) }
        #expect(found.map(\.id) == expected.map(\.id))
    }

    @Test func `name the unknown property or comparison in their error`() async throws {
        var random = SeededGenerator(seed: 1)
        let sample = Thing(id: 0, &random)
        func run(_ property: String, _ kind: EntityQueryComparisonKind, sort: String? = nil) async throws {
            let condition = EntityQueryCondition(property: property, kind: kind, inputs: [.text("a")])
            _ = try await ThingQuery().entities(
                fitting: [condition], mode: .and, sortedBy: sort.map { [($0, .ascending)] } ?? [], limit: nil,
                sample: sample)
        }
        await #expect(throws: EntityQueryError.unknownProperty("size", type: "Thing")) {
            try await run("size", .equalTo)
        }
        await #expect(throws: EntityQueryError.unsupportedComparison("lessThan", property: "name")) {
            try await run("name", .lessThan)
        }
        await #expect(throws: EntityQueryError.notSortable("tags")) {
            try await run("name", .equalTo, sort: "tags")
        }
        await #expect(throws: IntentValueError.self) { try await run("count", .equalTo) }
    }
}
