import AppIntents
import BatonClient
import BatonCore
import CoreSpotlight
import Foundation
import Support
import Testing

@Suite struct `Conditions on properties in the query language` {
    private let properties = IndexedProperties(of: DrawnConditions.sample)

    /// Whether the item that is indexed for a gadget matches a condition.
    private func matches(_ gadget: Gadget, _ text: String) throws -> Bool {
        let item = Item(attributes: CSSearchableItem(appEntity: gadget).attributeSet.attributes)
        return try SearchQuery(text, at: .here).matches(item)
    }

    /// The value of a property of a gadget.
    private func content(_ gadget: Gadget, _ name: String) -> _IntentValueContent {
        EntityReflection.properties(of: gadget).first { $0.name == name }?.content ?? .none
    }

    @Test(arguments: 0..<3000)
    func `match all entities that fit, and only these if the condition is exact`(seed: UInt64) throws {
        var drawn = DrawnConditions(random: SeededGenerator(seed: seed))
        let gadget = Gadget(id: 1, &drawn.random)
        for _ in 0..<8 {
            let condition = drawn.next()
            guard let property = properties[name: condition.property] else { continue }
            let translated = property.condition(condition.kind, condition.inputs)
            guard let text = translated.text else { continue }
            let fits = condition.kind.fits(content(gadget, condition.property), condition.inputs)
            let found = try matches(gadget, text)
            #expect(translated.isExact ? found == fits : found || !fits, "\(condition) as \(text)")
        }
    }

    @Test(arguments: 0..<500)
    func `keep that meaning when they are joined`(seed: UInt64) throws {
        var drawn = DrawnConditions(random: SeededGenerator(seed: seed))
        let gadget = Gadget(id: 1, &drawn.random)
        let conditions = (0..<drawn.random.number(0...4)).map { _ in drawn.next() }
        let mode: EntityQueryComparatorMode = drawn.random.chance(50) ? .and : .or
        let joined = IndexedCondition.joined(
            conditions.map { condition in
                properties[name: condition.property]?.condition(condition.kind, condition.inputs) ?? .unknown
            }, by: mode)
        guard let text = joined.text else { return }
        let results = conditions.map { $0.kind.fits(content(gadget, $0.property), $0.inputs) }
        let fits = results.isEmpty || (mode == .and ? results.allSatisfy(\.self) : results.contains(true))
        let found = try matches(gadget, text)
        #expect(joined.isExact ? found == fits : found || !fits, "\(conditions) as \(text)")
    }

    @Test func `are exact for equal texts, numbers, truth values, cases and elements of lists`() {
        func isExact(
            _ name: String, _ kind: EntityQueryComparisonKind, _ inputs: _IntentValueContent...
        ) -> Bool { properties[name: name]?.condition(kind, inputs).isExact ?? false }
        #expect(isExact("name", .equalTo, .text("a\"*")))
        #expect(isExact("note", .notEqualTo, .none))
        #expect(isExact("rating", .isBetween, .integer(1), .integer(2)))
        #expect(isExact("weight", .lessThan, .real(.infinity)))
        #expect(isExact("isNew", .equalTo, .flag(true)))
        #expect(isExact("colour", .notEqualTo, .text("red")))
        #expect(isExact("tags", .contains, .text("a")))
        #expect(isExact("sizes", .contains, .integer(1)))
        #expect(!isExact("name", .hasPrefix, .text("a")))
        #expect(!isExact("name", .lessThan, .text("a")))
        #expect(!isExact("built", .equalTo, .date(Date(timeIntervalSince1970: 0))))
        #expect(!isExact("tags", .equalTo, .list([.text("a")])))
    }

    @Test func `leave out properties whose values the index loses`() {
        #expect(properties[name: "shelf"] == nil)
        #expect(properties[name: "secret"] == nil)
        #expect(properties[name: "weight"]?.attribute == "com_example_weight")
        #expect(properties[name: "built"]?.attribute == "contentCreationDate")
    }
}
