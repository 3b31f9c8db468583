import AppIntents
import Foundation

/// The size of a cup.
enum Cup: String, AppEnum {
    case small, large
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Cup"
    static let caseDisplayRepresentations: [Cup: DisplayRepresentation] = [
        .small: "Small", .large: DisplayRepresentation(title: "Large", synonyms: ["Big"]),
    ]
}

/// A shop of the fixture.
struct Shop: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Shop"
    static let defaultQuery = ShopQuery()
    let id: String
    @Property(title: "Name") var name: String
    var displayRepresentation: DisplayRepresentation { "\(name)" }
    init(_ id: String, _ name: String) {
        self.id = id
        self.name = name
    }
}

/// Three shops.
struct ShopQuery: EntityStringQuery {
    static let all = [Shop("1", "Harbour"), Shop("2", "Market"), Shop("3", "Market Hall")]
    func entities(for identifiers: [String]) async throws -> [Shop] {
        Self.all.filter { identifiers.contains($0.id) }
    }
    func entities(matching text: String) async throws -> [Shop] {
        Self.all.filter { $0.name.lowercased().contains(text.lowercased()) }
    }
    func suggestedEntities() async throws -> [Shop] { Self.all }
}

/// Orders coffee, with a parameter of each kind that shells give.
struct OrderCoffee: AppIntent {
    static let title: LocalizedStringResource = "Order Coffee"
    static let description = IntentDescription("Orders coffee in a shop.")
    @Parameter(title: "Count", default: 1, inclusiveRange: (1, 5)) var count: Int
    @Parameter(title: "Cup") var cup: Cup
    @Parameter(title: "Shop") var shop: Shop?
    @Parameter(title: "Extras", default: []) var extras: [String]
    @Parameter(title: "To go", default: false) var isToGo: Bool
    @Parameter(title: "At") var pickupTime: Date?

    func perform() async throws -> some IntentResult & ReturnsValue<String> & ProvidesDialog {
        if extras.contains("poison") { throw CoffeeError.poison }
        let parts =
            ["\(count)", cup.rawValue, shop?.name ?? "anywhere", isToGo ? "to go" : "here"] + extras
        return .result(value: parts.joined(separator: " "), dialog: "Ordered.")
    }
}

/// A failure in the words of an app.
enum CoffeeError: Error, CustomLocalizedStringResourceConvertible {
    case poison
    var localizedStringResource: LocalizedStringResource { "We don't serve that." }
}

/// Closes the shop, and needs the person.
struct CloseShop: AppIntent {
    static let title: LocalizedStringResource = "Close Shop"
    static let authenticationPolicy: IntentAuthenticationPolicy = .requiresLocalDeviceAuthentication
    static let isDiscoverable = false
    func perform() async throws -> some IntentResult { .result() }
}

/// An intent of a generic type, which nobody can find.
struct GenericIntent<Value: Sendable>: AppIntent {
    static var title: LocalizedStringResource { "Generic" }
    func perform() async throws -> some IntentResult { .result() }
}

/// Shortcuts of the fixture.
struct CoffeeShortcuts: AppShortcutsProvider {
    static var appShortcuts: [AppShortcut] {
        AppShortcut(
            intent: OrderCoffee(), phrases: ["Order a \(\.$cup) coffee in \(.applicationName)"],
            shortTitle: "Coffee", systemImageName: "cup")
    }
    static var negativePhrases: [NegativeAppShortcutPhrase] { ["Order a funeral"] }
}

/// The types of the fixture as a program.
let coffeeTypes = ProgramTypes(
    intents: [CloseShop.self, OrderCoffee.self], entities: [Shop.self], enumerations: [Cup.self],
    shortcutsProviders: [CoffeeShortcuts.self])
