/// A shortcut as an app's manifest declares it.
package struct DeclaredShortcut: Equatable, Sendable {
    /// The name of the intent.
    package var intent: String
    /// The short name for people; nil if the app gives none.
    package var title: String?
    /// The phrases; `${applicationName}` stands for the name of the app, and `${NAME}` for a parameter's value.
    package var phrases: [String]
    /// The values that the app gives to parameters of the intent, in words.
    package var values: [(name: String, value: String)] = []

    package init(intent: String, title: String?, phrases: [String]) {
        (self.intent, self.title, self.phrases) = (intent, title, phrases)
    }

    package static func == (one: DeclaredShortcut, other: DeclaredShortcut) -> Bool { one.json == other.json }

    /// The shortcut as JSON.
    package var json: JSON {
        .object([
            .init("intent", .string(intent)), .init("title", JSON(title)),
            .init("phrases", .array(phrases.map { .string($0) })),
            .init("values", .object(values.map { .init($0.name, .string($0.value)) })),
        ])
    }

    /// Reads a shortcut.
    package init(_ json: JSON) throws(JSONError) {
        intent = try json.declared("intent")
        title = json["title"]?.string
        phrases = try json.declaredTexts("phrases")
        for member in json["values"]?.members ?? [] {
            if let value = member.value.string { values.append((member.key, value)) }
        }
    }
}
