/// An intent as an app's manifest declares it.
package struct DeclaredIntent: Equatable, Sendable {
    /// The name in the source.
    package var name: String
    /// The name for people.
    package var title: String
    /// The purpose; nil if the app says nothing.
    package var description: String?
    /// The group in which lists show the intent; nil for none.
    package var category: String?
    /// The parameters in a sentence, with names in braces; nil if there is none.
    package var sentence: String?
    /// Whether lists show the intent.
    package var isDiscoverable = true
    /// Whether the app opens before the intent is performed.
    package var opensApp = false
    /// Whether the intent is a filter that runs when the person's focus changes.
    package var isFocusFilter = false
    /// The type of the entity that the intent opens; nil if it opens none.
    package var opens: String?
    /// The authentication that the intent requires.
    package var authentication = Authentication.none
    /// The reason not to use the intent any more; nil if it is not deprecated.
    package var deprecation: String?
    /// The intent that replaces it; nil if none does.
    package var replacement: String?
    /// The parameters, in the order of the declaration.
    package var parameters: [DeclaredParameter] = []

    /// The authentication of the person that an intent requires.
    package enum Authentication: String, Equatable, Sendable {
        case none
        /// The session is not locked.
        case session
        /// The person proves who they are.
        case person
    }

    package init(name: String, title: String) { (self.name, self.title) = (name, title) }

    /// Returns the parameter with a name; nil if there is none.
    package func parameter(named name: String) -> DeclaredParameter? {
        parameters.first { $0.name == name }
    }

    /// The intent as JSON.
    package var json: JSON {
        .object([
            .init("name", .string(name)), .init("title", .string(title)),
            .init("description", JSON(description)), .init("category", JSON(category)),
            .init("sentence", JSON(sentence)), .init("discoverable", .boolean(isDiscoverable)),
            .init("opensApp", .boolean(opensApp)), .init("focusFilter", .boolean(isFocusFilter)),
            .init("opens", JSON(opens)), .init("authentication", .string(authentication.rawValue)),
            .init("deprecation", JSON(deprecation)), .init("replacement", JSON(replacement)),
            .init("parameters", .array(parameters.map(\.json))),
        ])
    }

    /// Reads an intent.
    package init(_ json: JSON) throws(JSONError) {
        name = try json.declared("name")
        title = try json.declared("title")
        description = json["description"]?.string
        category = json["category"]?.string
        sentence = json["sentence"]?.string
        isDiscoverable = json["discoverable"]?.boolean ?? true
        opensApp = json["opensApp"]?.boolean ?? false
        isFocusFilter = json["focusFilter"]?.boolean ?? false
        opens = json["opens"]?.string
        if json["authentication"] != nil {
            authentication = try json.declared("authentication") { Authentication(rawValue: $0) }
        }
        deprecation = json["deprecation"]?.string
        replacement = json["replacement"]?.string
        parameters = try json.declaredList("parameters") { (json) throws(JSONError) in
            try DeclaredParameter(json)
        }
    }
}
