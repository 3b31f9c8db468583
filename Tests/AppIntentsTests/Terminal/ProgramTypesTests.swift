import AppIntents
import Testing

@Suite struct `The types of a program` {
    @Test func `are found without registration, by the names of their types`() {
        let types = ProgramTypes.shared
        #expect(types.intents.contains { $0 == OrderCoffee.self })
        #expect(types.intents.contains { $0 == CloseShop.self })
        #expect(types.entities.contains { $0 == Shop.self })
        #expect(types.entities.contains { $0 == Deck.self }, "a class")
        #expect(types.enumerations.contains { $0 == Cup.self })
        #expect(types.shortcutsProviders.contains { $0 == CoffeeShortcuts.self })
    }

    @Test func `are each found once, sorted, and without those of the library`() {
        let names = ProgramTypes.shared.intents.map { String(reflecting: $0) }
        #expect(Set(names).count == names.count)
        #expect(!names.contains { $0.hasPrefix("AppIntents.") || $0.hasPrefix("Swift.") })
        let identifiers = ProgramTypes.shared.intents.map { $0.persistentIdentifier }
        #expect(identifiers == identifiers.sorted())
    }

    @Test func `leave out generic types`() {
        #expect(!ProgramTypes.shared.intents.contains { "\($0)".hasPrefix("GenericIntent") })
    }

    @Test func `note the types of entities, so that identifiers are read before the app uses them`() {
        _ = ProgramTypes.shared
        #expect(EntityTypes.shared.type(named: "Shop") != nil)
        #expect(EntityIdentifier(activityIdentifier: "Shop/2")?.identifier == "2")
    }

    @Test func `are found by names in another case and with hyphens`() {
        #expect(coffeeTypes.intents(named: "order-coffee").map { $0.persistentIdentifier } == ["OrderCoffee"])
        #expect(coffeeTypes.intents(named: "OrderTea").isEmpty)
    }
}
