/// The shapes of what a program declares, with the keys of the same parts of an intent manifest.
extension DeclarationShape {
    /// Everything that a program declares at once.
    static let declaration: DeclarationShape = .object([
        .optional("title", .text), .required("program", .list(.text)), .optional("intents", .list(intent)),
        .optional("entities", .list(entity)), .optional("enumerations", .list(enumeration)),
        .optional("shortcuts", .list(shortcut)), .optional("negativePhrases", .list(.text)),
    ])

    /// An answer that a program offers to the person, or a case of an enumeration.
    static let answer: DeclarationShape = .object([
        .required("name", .text), .optional("title", .text), .optional("synonyms", .list(.text)),
    ])

    /// An intent.
    ///
    /// The keys `authentication`, `focusFilter` and `opensApp` of manifests are missing, because Baton performs the
    /// intents of programs without a password, and in a process that nobody sees.
    private static let intent: DeclarationShape = .object([
        .required("name", .text), .required("title", .text), .optional("description", .text),
        .optional("category", .text), .optional("sentence", .text), .optional("discoverable", .flag),
        .optional("opens", .text), .optional("deprecation", .text), .optional("replacement", .text),
        .optional("parameters", .list(parameter)),
    ])

    /// The kinds of values that lines of JSON have.
    private static let kind: DeclarationShape = .choice([
        "text", "integer", "real", "flag", "date", "url", "choice", "entity",
    ])

    private static let parameter: DeclarationShape = .object([
        .required("name", .text), .optional("title", .text), .optional("description", .text),
        .required("kind", kind), .optional("type", .text), .optional("optional", .flag),
        .optional("list", .flag), .optional("default", .word), .optional("least", .word),
        .optional("greatest", .word),
    ])

    private static let entity: DeclarationShape = .object([
        .required("name", .text), .required("title", .text), .optional("synonyms", .list(.text)),
        .optional("properties", .list(property)),
    ])

    private static let property: DeclarationShape = .object([
        .required("name", .text), .optional("title", .text), .required("kind", kind),
        .optional("type", .text), .optional("optional", .flag), .optional("list", .flag),
        .optional("attribute", .text),
    ])

    private static let enumeration: DeclarationShape = .object([
        .required("name", .text), .required("title", .text), .required("cases", .list(answer)),
    ])

    private static let shortcut: DeclarationShape = .object([
        .required("intent", .text), .optional("title", .text), .required("phrases", .list(.text)),
        .optional("values", .words),
    ])
}
