/// A schema: an area, such as `photos`, and a name in it.
public protocol AssistantSchema: Hashable, Sendable {
    /// The name, with the area before a dot.
    var name: String { get }
    /// Creates the schema with a name.
    init(name: String)
}

extension AssistantSchema {
    /// The schemas of the area `audio`.
    public static var audio: AssistantSchemas.Domain<Self> { .init(name: "audio") }
    /// The schemas of the area `books`.
    public static var books: AssistantSchemas.Domain<Self> { .init(name: "books") }
    /// The schemas of the area `browser`.
    public static var browser: AssistantSchemas.Domain<Self> { .init(name: "browser") }
    /// The schemas of the area `calendar`.
    public static var calendar: AssistantSchemas.Domain<Self> { .init(name: "calendar") }
    /// The schemas of the area `camera`.
    public static var camera: AssistantSchemas.Domain<Self> { .init(name: "camera") }
    /// The schemas of the area `clock`.
    public static var clock: AssistantSchemas.Domain<Self> { .init(name: "clock") }
    /// The schemas of the area `files`.
    public static var files: AssistantSchemas.Domain<Self> { .init(name: "files") }
    /// The schemas of the area `finance`.
    public static var finance: AssistantSchemas.Domain<Self> { .init(name: "finance") }
    /// The schemas of the area `fitness`.
    public static var fitness: AssistantSchemas.Domain<Self> { .init(name: "fitness") }
    /// The schemas of the area `health`.
    public static var health: AssistantSchemas.Domain<Self> { .init(name: "health") }
    /// The schemas of the area `home`.
    public static var home: AssistantSchemas.Domain<Self> { .init(name: "home") }
    /// The schemas of the area `journal`.
    public static var journal: AssistantSchemas.Domain<Self> { .init(name: "journal") }
    /// The schemas of the area `mail`.
    public static var mail: AssistantSchemas.Domain<Self> { .init(name: "mail") }
    /// The schemas of the area `maps`.
    public static var maps: AssistantSchemas.Domain<Self> { .init(name: "maps") }
    /// The schemas of the area `media`.
    public static var media: AssistantSchemas.Domain<Self> { .init(name: "media") }
    /// The schemas of the area `messages`.
    public static var messages: AssistantSchemas.Domain<Self> { .init(name: "messages") }
    /// The schemas of the area `music`.
    public static var music: AssistantSchemas.Domain<Self> { .init(name: "music") }
    /// The schemas of the area `news`.
    public static var news: AssistantSchemas.Domain<Self> { .init(name: "news") }
    /// The schemas of the area `notes`.
    public static var notes: AssistantSchemas.Domain<Self> { .init(name: "notes") }
    /// The schemas of the area `phone`.
    public static var phone: AssistantSchemas.Domain<Self> { .init(name: "phone") }
    /// The schemas of the area `photos`.
    public static var photos: AssistantSchemas.Domain<Self> { .init(name: "photos") }
    /// The schemas of the area `presentation`.
    public static var presentation: AssistantSchemas.Domain<Self> { .init(name: "presentation") }
    /// The schemas of the area `reader`.
    public static var reader: AssistantSchemas.Domain<Self> { .init(name: "reader") }
    /// The schemas of the area `reminders`.
    public static var reminders: AssistantSchemas.Domain<Self> { .init(name: "reminders") }
    /// The schemas of the area `shopping`.
    public static var shopping: AssistantSchemas.Domain<Self> { .init(name: "shopping") }
    /// The schemas of the area `spreadsheet`.
    public static var spreadsheet: AssistantSchemas.Domain<Self> { .init(name: "spreadsheet") }
    /// The schemas of the area `system`.
    public static var system: AssistantSchemas.Domain<Self> { .init(name: "system") }
    /// The schemas of the area `travel`.
    public static var travel: AssistantSchemas.Domain<Self> { .init(name: "travel") }
    /// The schemas of the area `visualIntelligence`.
    public static var visualIntelligence: AssistantSchemas.Domain<Self> { .init(name: "visualIntelligence") }
    /// The schemas of the area `whiteboard`.
    public static var whiteboard: AssistantSchemas.Domain<Self> { .init(name: "whiteboard") }
    /// The schemas of the area `wordProcessor`.
    public static var wordProcessor: AssistantSchemas.Domain<Self> { .init(name: "wordProcessor") }
}
