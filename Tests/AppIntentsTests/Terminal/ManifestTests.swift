import AppIntents
import BatonClient
import BatonNetwork
import Foundation
import Testing

/// A vehicle, as a class.
private class Vehicle {
    @EntityProperty(title: "Number") var number: Int
    init() { number = 1 }
}

/// An entity with a superclass.
private final class Tram: Vehicle, AppEntity, @unchecked Sendable {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Tram"
    static let defaultQuery = TramQuery()
    @EntityProperty(title: "Line") var line: String
    var id: String { "\(number)" }
    var displayRepresentation: DisplayRepresentation { "\(line)" }
    override init() {
        super.init()
        line = "A"
    }
}

private struct TramQuery: EntityQuery {
    func entities(for identifiers: [String]) async throws -> [Tram] { [] }
}

/// An entity whose query fails.
private struct Lost: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Lost"
    static let defaultQuery = LostQuery()
    let id: String
    @Property(title: "Name") var name: String
    var displayRepresentation: DisplayRepresentation { "lost" }
}

private struct LostQuery: EntityQuery {
    func entities(for identifiers: [String]) async throws -> [Lost] { [] }
    func suggestedEntities() async throws -> [Lost] { throw CoffeeError.poison }
}

@Suite struct `The manifest of an app's intents` {
    @Test func `has intents with parameters, enumerations, entities and shortcuts`() async throws {
        let manifest = await IntentManifest(
            coffeeTypes, app: "org.example.coffee", title: "Coffee", program: ["/bin/coffee"])
        #expect(manifest.intents.map(\.name) == ["CloseShop", "OrderCoffee"])
        let order = try #require(manifest.intent(named: "OrderCoffee"))
        #expect(order.description == "Orders coffee in a shop.")
        #expect(order.parameters.map(\.name) == ["count", "cup", "shop", "extras", "isToGo", "pickupTime"])
        #expect(order.parameter(named: "count")?.standard == "1")
        #expect(order.parameter(named: "count")?.range?.greatest == "5")
        #expect(order.parameters.filter(\.isRequired).map(\.name) == ["cup"])
        let shop = try #require(order.parameter(named: "shop"))
        #expect((shop.type.kind, shop.type.name, shop.type.isOptional) == (.entity, "Shop", true))
        #expect(order.parameter(named: "extras")?.type.isList == true)
        let close = try #require(manifest.intent(named: "CloseShop"))
        #expect(close.authentication == .person)
        #expect(!close.isDiscoverable)
        #expect(manifest.enumeration(named: "Cup")?.cases.map(\.name) == ["small", "large"])
        #expect(manifest.shortcuts.first?.phrases == ["Order a ${cup} coffee in ${applicationName}"])
        #expect(manifest.negativePhrases == ["Order a funeral"])
    }

    @Test func `is the same after it was written as JSON and read`() async throws {
        var manifest = await IntentManifest(
            .shared, app: "org.example.tests", title: nil, program: ["/bin/tests"])
        manifest.programState = "1"
        let read = try IntentManifest(JSON(reading: Array(manifest.json.text.utf8)))
        #expect(read == manifest)
    }

    @Test func `knows the names and kinds of properties of a type without an entity`() {
        let entity = DeclaredEntity(Book.self, sample: nil)
        #expect(entity.isIndexed)
        let names = entity.properties.map(\.name)
        #expect(names.starts(with: ["title", "authors", "rating", "price", "genre", "published"]))
        #expect(entity.properties.allSatisfy { $0.isKnownByTypeOnly })
        #expect(entity.property(named: "rating")?.type.kind == .integer)
        #expect(entity.property(named: "authors")?.type.isList == true)
        #expect(entity.property(named: "lastRead")?.type.isOptional == true)
    }

    @Test func `knows the properties of superclasses of a type without an entity`() {
        let properties = DeclaredEntity(Tram.self, sample: nil).properties
        #expect(properties.map(\.name) == ["number", "line"])
        #expect(
            DeclaredEntity(Tram.self, sample: Tram()).properties.map(\.name).sorted() == ["line", "number"])
    }

    @Test func `has lists that are required although their elements are optional`() {
        let list = DeclaredValueType(form: .list(.optional(.text)))
        #expect((list.isList, list.isOptional) == (true, false))
        let optional = DeclaredValueType(form: .optional(.list(.optional(.text))))
        #expect((optional.isList, optional.isOptional) == (true, true))
    }

    @Test func `knows titles and index attributes of properties from an entity`() {
        let book = Book(id: UUID(), title: "One", authors: ["Ann"], rating: 4)
        let entity = DeclaredEntity(Book.self, sample: book)
        #expect(entity.property(named: "title")?.attribute == "title")
        #expect(entity.property(named: "rating")?.attribute == "rating")
        #expect(entity.property(named: "authors")?.attribute == "authorNames")
        #expect(entity.property(named: "published")?.attribute == "contentCreationDate")
        #expect(entity.property(named: "link")?.attribute == "contentURL")
        #expect(entity.property(named: "summary")?.attribute == "contentDescription")
        #expect(entity.property(named: "price")?.attribute == nil)
        #expect(entity.property(named: "page")?.attribute == "com_example_page")
        #expect(entity.property(named: "page")?.isCustom == true)
        #expect(entity.property(named: "genre")?.title == "Genre")
    }

    @Test func `keeps what an earlier start of the app knew about properties`() {
        let book = Book(id: UUID(), title: "One", authors: [], rating: 4)
        var (earlier, later) = (
            IntentManifest(app: "a", title: nil, program: []),
            IntentManifest(app: "a", title: nil, program: [])
        )
        earlier.entities = [DeclaredEntity(Book.self, sample: book)]
        later.entities = [DeclaredEntity(Book.self, sample: nil)]
        #expect(later.completed(by: earlier).entities == earlier.entities)
    }

    @Test func `is complete if a query fails, and the failure is told`() async {
        let failures = Monitor<[String]>([])
        let manifest = await IntentManifest(
            ProgramTypes(intents: [], entities: [Lost.self]), app: "org.example.lost", title: nil,
            program: ["/bin/lost"], asksQueries: true,
            report: { failure in failures.change { $0.append(failure) } })
        #expect(manifest.entity(named: "Lost")?.properties.map(\.name) == ["name"])
        #expect(failures.change { $0 }.count == 1)
        #expect(failures.change { $0 }.first?.hasPrefix("The query for Lost failed") == true)
    }

    @Test func `asks the app's query for an entity where it is allowed to`() async {
        let asked = await IntentManifest(
            coffeeTypes, app: "org.example.coffee", title: nil, program: [], asksQueries: true)
        #expect(asked.entity(named: "Shop")?.property(named: "name")?.title == "Name")
    }
}
