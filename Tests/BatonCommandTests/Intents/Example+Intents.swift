import BatonClient
import BatonCore
import ClientSupport

extension Example {
    /// The manifest of a café with an intent, an enumeration, an entity and phrases.
    static func cafe(_ app: String = "org.example.cafe", title: String? = "Café") -> IntentManifest {
        var order = DeclaredIntent(name: "OrderDrink", title: "Order a Drink")
        var size = DeclaredParameter(
            name: "size", title: "Size", type: DeclaredValueType(.choice, named: "Size"))
        size.type.isOptional = true
        order.parameters = [
            DeclaredParameter(
                name: "drink", title: "Drink", type: DeclaredValueType(.entity, named: "Drink")), size,
        ]
        var open = DeclaredIntent(name: "OpenDrink", title: "Open a Drink")
        open.opens = "Drink"
        open.parameters = [
            DeclaredParameter(
                name: "target", title: "Drink", type: DeclaredValueType(.entity, named: "Drink"))
        ]
        var focus = DeclaredIntent(name: "ShowMenu", title: "Show a Menu")
        focus.isFocusFilter = true
        var menus = DeclaredParameter(name: "menus", title: "Menus", type: DeclaredValueType(.text))
        menus.type.isList = true
        focus.parameters = [menus, size]
        var old = DeclaredIntent(name: "OldOrder", title: "Order")
        (old.deprecation, old.replacement) = ("it knows no sizes.", "OrderDrink")
        var manifest = IntentManifest(app: app, title: title, program: ["/bin/true"])
        manifest.intents = [order, open, focus, old]
        manifest.enumerations = [
            DeclaredEnumeration(
                name: "Size", title: "Size",
                cases: [
                    DeclaredCase(name: "small", title: "Small"),
                    DeclaredCase(name: "large", title: "Large", synonyms: ["big"]),
                ])
        ]
        manifest.entities = [drink]
        var latte = DeclaredShortcut(
            intent: "OrderDrink", title: "Latte",
            phrases: ["Order a latte", "Order a ${size} latte in ${applicationName}"])
        latte.values = [("drink", "latte")]
        manifest.shortcuts = [
            latte,
            DeclaredShortcut(
                intent: "OrderDrink", title: nil, phrases: ["Bring ${drink} from ${applicationName}"]),
        ]
        manifest.negativePhrases = ["Order a latte never"]
        return manifest
    }

    /// A type of entities with properties in the index, and one that is not in it.
    private static var drink: DeclaredEntity {
        var drink = DeclaredEntity(name: "Drink", title: "Drink")
        drink.isIndexed = true
        let properties: [(String, DeclaredValueType.Kind, String?)] = [
            ("name", .text, "title"), ("rating", .integer, "rating"), ("genre", .choice, "genre"),
            ("isHot", .flag, "cafe_hot"), ("added", .date, "contentCreationDate"), ("note", .text, nil),
        ]
        drink.properties = properties.map { name, kind, attribute in
            var property = DeclaredProperty(name: name, title: name, type: DeclaredValueType(kind))
            property.attribute = attribute
            return property
        }
        return drink
    }

    /// A type of entities that an app of another machine has described to the account.
    static let note = EntityTypeDescription(
        EntityTypeName(app: "org.example.notes", type: "Note"), title: "Note", synonyms: ["Memo"],
        properties: [
            EntityTypeDescription.Property("tags", kind: "text", attribute: "keywords"),
            EntityTypeDescription.Property("modified", kind: "date", attribute: "contentModificationDate"),
            EntityTypeDescription.Property("draft", kind: "flag"),
        ], appTitle: "Notes")

    /// The result of a search: the item of a drink.
    static func drink(_ identifier: String, title: String, app: String = "org.example.cafe")
        -> SearchResult
    {
        SearchResult(
            .item(
                FoundItem(
                    app: app, index: "default", identifier: "AppEntity-Drink/\(identifier)",
                    domain: "AppEntity-Drink", title: title, summary: "a drink", indexed: now,
                    entity: Activity.Entity(type: "Drink", identifier: identifier))),
            devices: [desktop])
    }
}
