/// The intents that an app declares in its code, with what they work with.
///
/// The app writes it, so that commands list, complete and find intents without starting the app. For a program that
/// declares its intents in lines of JSON, `baton app` writes it.
package struct IntentManifest: Equatable, Sendable {
    /// The app, in reverse DNS.
    package var app: String
    /// The name of the app for people; nil if it has none.
    package var title: String?
    /// The words that start the app's program.
    ///
    /// For an app with the library AppIntents, this is the whole path of the app's own executable. A program that speaks
    /// lines of JSON may have further words.
    package var program: [String]
    /// The state of the program's file when the app wrote the manifest; nil if it is not known.
    package var programState: String?
    /// Whether the program performs intents in lines of JSON, instead of by its command `intents run`.
    package var speaksLines = false
    /// The intents, by name.
    package var intents: [DeclaredIntent] = []
    /// The entities, by name.
    package var entities: [DeclaredEntity] = []
    /// The enumerations, by name.
    package var enumerations: [DeclaredEnumeration] = []
    /// The shortcuts, in the app's order.
    package var shortcuts: [DeclaredShortcut] = []
    /// Phrases that must run no shortcut.
    package var negativePhrases: [String] = []

    package init(app: String, title: String?, program: [String]) {
        (self.app, self.title, self.program) = (app, title, program)
    }

    /// The version of the format; readers refuse another one.
    private static let version: Int64 = 1

    /// The manifest as JSON.
    package var json: JSON {
        .object([
            .init("version", .integer(Self.version)), .init("app", .string(app)), .init("title", JSON(title)),
            .init("program", .array(program.map { .string($0) })), .init("programState", JSON(programState)),
            .init("lines", .boolean(speaksLines)),
            .init("intents", .array(intents.map(\.json))),
            .init("entities", .array(entities.map(\.json))),
            .init("enumerations", .array(enumerations.map(\.json))),
            .init("shortcuts", .array(shortcuts.map(\.json))),
            .init("negativePhrases", .array(negativePhrases.map { .string($0) })),
        ])
    }

    /// Reads a manifest; keys that later versions add are ignored.
    package init(_ json: JSON) throws(JSONError) {
        guard json["version"]?.integer == Self.version else {
            throw JSONError("it was written by another version of the library; start the app once")
        }
        try self.init(json, of: try json.declared("app"))
        speaksLines = json["lines"]?.boolean ?? false
        let isPath = program.first.map { $0.utf8.first == UInt8(ascii: "/") && !$0.utf8.contains(0) } ?? false
        guard speaksLines || program.count == 1 && isPath else {
            throw JSONError("`program` must be a list of one whole path")
        }
    }

    /// Reads the declarations of an app from an object that has neither a version nor the name of the app.
    package init(_ json: JSON, of app: String) throws(JSONError) {
        self.app = app
        title = json["title"]?.string
        program = try json.declaredTexts("program")
        programState = json["programState"]?.string
        intents = try json.declaredList("intents") { (json) throws(JSONError) in try DeclaredIntent(json) }
        entities = try json.declaredList("entities") { (json) throws(JSONError) in try DeclaredEntity(json) }
        enumerations = try json.declaredList("enumerations") { (json) throws(JSONError) in
            try DeclaredEnumeration(json)
        }
        shortcuts = try json.declaredList("shortcuts") { (json) throws(JSONError) in
            try DeclaredShortcut(json)
        }
        negativePhrases = try json.declaredTexts("negativePhrases")
    }

    // MARK: Looking up

    /// Returns the intent with a name; nil if there is none.
    package func intent(named name: String) -> DeclaredIntent? { intents.first { $0.name == name } }

    /// Returns the entity with a name; nil if there is none.
    package func entity(named name: String) -> DeclaredEntity? { entities.first { $0.name == name } }

    /// Returns the enumeration with a name; nil if there is none.
    package func enumeration(named name: String) -> DeclaredEnumeration? {
        enumerations.first { $0.name == name }
    }

    /// Returns the manifest with the titles and attributes of an earlier one, where this one has none.
    ///
    /// A property's attributes are known only once the app has made an entity, so a later start may know less.
    package func completed(by earlier: IntentManifest) -> IntentManifest {
        var manifest = self
        manifest.entities = entities.map { entity in
            earlier.entity(named: entity.name).map { entity.completed(by: $0) } ?? entity
        }
        return manifest
    }
}
