import AppIntents
import CoreSpotlight
import CoreSpotlightTesting
import Foundation
import Support
import Testing

/// Indexes gadgets from a seed, and makes them those of the app; returns the node.
private func indexGadgets(_ count: Int, seed: UInt64) async throws -> TemporaryNode {
    let node = try TemporaryNode()
    node.useInThisProcess()
    var random = SeededGenerator(seed: seed)
    GadgetStore.all = (0..<count).map { Gadget(id: $0, &random) }
    try await CSSearchableIndex(name: "gadgets").indexAppEntities(GadgetStore.all)
    return node
}

/// Runs the query that the index answers.
private func indexed(
    _ conditions: [EntityQueryCondition], _ mode: EntityQueryComparatorMode = .and,
    sortedBy sorting: [(property: String, order: EntityQuerySort<Gadget>.Ordering)] = [], limit: Int? = nil
) async throws -> [Gadget] {
    try await IndexedGadgetQuery().entities(
        fitting: conditions, mode: mode, sortedBy: sorting, limit: limit, sample: DrawnConditions.sample)
}

/// Runs the app's own query, without an order and without a limit.
private func plain(
    _ conditions: [EntityQueryCondition], _ mode: EntityQueryComparatorMode = .and
) async throws -> [Gadget] {
    try await PlainGadgetQuery().entities(
        fitting: conditions, mode: mode, sortedBy: [], limit: nil, sample: DrawnConditions.sample)
}

/// Returns a condition with one value.
private func condition(
    _ property: String, _ kind: EntityQueryComparisonKind, _ input: _IntentValueContent
) -> EntityQueryCondition { EntityQueryCondition(property: property, kind: kind, inputs: [input]) }

@Suite struct `Queries by properties that the index answers` {
    @Test func `find the same entities as the app's own query, for many drawn queries`() async {
        // In a process of its own, because a node is named by the environment.
        await #expect(processExitsWith: .success) {
            let node = try await indexGadgets(150, seed: 1)
            var random = SeededGenerator(seed: 2)
            for round in 0..<3 {
                // Later rounds index other values of the same entities.
                if round > 0 {
                    GadgetStore.all = (0..<150).map { Gadget(id: $0, &random) }
                    try await CSSearchableIndex(name: "gadgets").indexAppEntities(GadgetStore.all)
                }
                var drawn = DrawnConditions(random: SeededGenerator(seed: UInt64(100 + round)))
                for number in 0..<300 {
                    let conditions = (0..<drawn.random.number(0...3)).map { _ in drawn.next() }
                    let mode: EntityQueryComparatorMode = drawn.random.chance(60) ? .and : .or
                    let found = try await indexed(conditions, mode).map(\.id)
                    let expected = try await plain(conditions, mode).map(\.id)
                    #expect(
                        Set(found) == Set(expected),
                        "round \(round), query \(number): \(conditions), \(mode)")
                    #expect(found.count == Set(found).count)
                }
            }
            withExtendedLifetime(node) {}
        }
    }

    @Test func `find as many as the limit allows, the first in the order, for many drawn queries`() async {
        await #expect(processExitsWith: .success) {
            let node = try await indexGadgets(150, seed: 5)
            var drawn = DrawnConditions(random: SeededGenerator(seed: 6))
            for number in 0..<200 {
                let conditions = (0..<drawn.random.number(0...2)).map { _ in drawn.next() }
                let limit = drawn.random.pick([1, 3, 10, 100, 101, 1000])
                let isAscending = drawn.random.chance(50)
                let order: EntityQuerySort<Gadget>.Ordering = isAscending ? .ascending : .descending
                let found = try await indexed(conditions, sortedBy: [("rating", order)], limit: limit)
                let expected = try await plain(conditions)
                let ratings = expected.map(\.rating).sorted(by: isAscending ? (<) : (>))
                #expect(found.map(\.rating) == Array(ratings.prefix(limit)), "query \(number): \(conditions)")
                #expect(Set(found.map(\.id)).isSubset(of: expected.map(\.id)))
            }
            withExtendedLifetime(node) {}
        }
    }

    @Test func `sort the same whether the index sorts or the library`() async {
        await #expect(processExitsWith: .success) {
            let node = try await indexGadgets(90, seed: 7)
            for property in ["name", "note", "rating", "weight", "due", "sizes"] {
                for order in [EntityQuerySort<Gadget>.Ordering.ascending, .descending] {
                    func keys(_ gadgets: [Gadget]) -> [String] {
                        gadgets.map { gadget in
                            let found = EntityReflection.properties(of: gadget).first { $0.name == property }
                            let content = found?.content ?? .none
                            guard let first = content.elements.first else { return "none" }
                            return first == .real(0) ? "zero" : "\(first)"
                        }
                    }
                    // Without a limit, the library sorts, because the index sorts at most a hundred results.
                    let byIndex = try await indexed([], sortedBy: [(property, order)], limit: 90)
                    let byLibrary = try await indexed([], sortedBy: [(property, order)])
                    #expect(byIndex.count == 90)
                    #expect(Set(byIndex.map(\.id)) == Set(byLibrary.map(\.id)))
                    if property != "due" { #expect(keys(byIndex) == keys(byLibrary), "\(property)") }
                }
            }
            let weights = try await indexed([], sortedBy: [("weight", .descending)], limit: 90).map(\.weight)
            let finite = weights.filter { !$0.isNaN }
            #expect(Array(weights.prefix(finite.count)) == finite.sorted(by: >))
            withExtendedLifetime(node) {}
        }
    }

    @Test func `sort by a property that is not in the index`() async {
        await #expect(processExitsWith: .success) {
            let node = try await indexGadgets(40, seed: 8)
            let found = try await indexed([], sortedBy: [("secret", .ascending)], limit: 5)
            let all = try await indexed([], sortedBy: [("secret", .ascending)])
            #expect(found.map(\.secret) == all.prefix(5).map(\.secret))
            withExtendedLifetime(node) {}
        }
    }

    @Test func `leave out entities that are gone, hidden or of another type`() async {
        await #expect(processExitsWith: .success) {
            let node = try await indexGadgets(30, seed: 9)
            try await CSSearchableIndex(name: "gadgets").indexAppEntities([Track(id: "1")])
            var random = SeededGenerator(seed: 10)
            let hidden = Gadget(id: -1, &random)
            try await CSSearchableIndex(name: "gadgets").indexAppEntities([hidden])
            GadgetStore.all = GadgetStore.all.filter { $0.id % 2 == 0 } + [hidden]
            #expect(Set(try await indexed([]).map(\.id)) == Set((0..<30).filter { $0 % 2 == 0 }))
            // The first items in the order are gone, so the library goes on to the next ones.
            #expect(try await indexed([], sortedBy: [("rating", .ascending)], limit: 15).count == 15)
            withExtendedLifetime(node) {}
        }
    }

    @Test func `find an entity that several indexes have only once`() async {
        await #expect(processExitsWith: .success) {
            let node = try await indexGadgets(5, seed: 11)
            try await CSSearchableIndex(name: "copies").indexAppEntities(GadgetStore.all)
            #expect(try await indexed([]).map(\.id).sorted() == [0, 1, 2, 3, 4])
            #expect(try await indexed([], limit: 5).map(\.id).sorted() == [0, 1, 2, 3, 4])
            withExtendedLifetime(node) {}
        }
    }

    @Test func `do not find an item of the app that is associated with an entity`() async {
        await #expect(processExitsWith: .success) {
            let node = try await indexGadgets(3, seed: 12)
            var random = SeededGenerator(seed: 13)
            let gadget = Gadget(id: 99, &random)
            GadgetStore.all.append(gadget)
            let item = CSSearchableItem(
                uniqueIdentifier: "own", domainIdentifier: "documents",
                attributeSet: CSSearchableItemAttributeSet(contentType: .text))
            try await item.associateAppEntity(gadget)
            try await CSSearchableIndex(name: "gadgets").indexSearchableItems([item])
            let found = try await indexed([condition("rating", .notEqualTo, .integer(77))])
            #expect(found.map(\.id).sorted() == [0, 1, 2])
            withExtendedLifetime(node) {}
        }
    }

    @Test func `compare dates that differ by less than the index stores`() async {
        await #expect(processExitsWith: .success) {
            let node = try await indexGadgets(0, seed: 14)
            var random = SeededGenerator(seed: 15)
            let moment = 800_000_000.0
            for (number, seconds) in [moment, moment.nextUp, moment.nextUp.nextUp].enumerated() {
                let gadget = Gadget(id: number, &random)
                gadget.built = Date(timeIntervalSinceReferenceDate: seconds)
                GadgetStore.all.append(gadget)
            }
            try await CSSearchableIndex(name: "gadgets").indexAppEntities(GadgetStore.all)
            let date = _IntentValueContent.date(Date(timeIntervalSinceReferenceDate: moment.nextUp))
            #expect(try await indexed([condition("built", .equalTo, date)]).map(\.id) == [1])
            #expect(try await indexed([condition("built", .lessThan, date)], limit: 1).map(\.id) == [0])
            #expect(try await indexed([condition("built", .greaterThan, date)], limit: 1).map(\.id) == [2])
            withExtendedLifetime(node) {}
        }
    }

    @Test func `find nothing with a limit of zero, or without any entity in the index`() async {
        await #expect(processExitsWith: .success) {
            let node = try await indexGadgets(0, seed: 16)
            #expect(try await indexed([]).isEmpty)
            #expect(try await indexed([], limit: 0).isEmpty)
            withExtendedLifetime(node) {}
        }
    }

    @Test func `accept a text that is too long for the query language`() async {
        await #expect(processExitsWith: .success) {
            let node = try await indexGadgets(3, seed: 17)
            let long = String(repeating: "long ", count: 1000)
            GadgetStore.all[1].name = long
            try await CSSearchableIndex(name: "gadgets").indexAppEntities(GadgetStore.all)
            #expect(try await indexed([condition("name", .equalTo, .text(long))]).map(\.id) == [1])
            withExtendedLifetime(node) {}
        }
    }
}
