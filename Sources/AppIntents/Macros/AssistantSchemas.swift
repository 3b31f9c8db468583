/// A schema of Apple's systems, by which an assistant knows what a type stands for.
///
/// On Linux a schema is a name, which `baton intents` lists.
public enum AssistantSchemas {
    /// The schema of an intent.
    public struct IntentSchema: Hashable, Sendable {
        /// The name, such as `photos.createAlbum`.
        public let name: String
    }

    /// The schema of an entity.
    public struct EntitySchema: Hashable, Sendable {
        /// The name, such as `photos.album`.
        public let name: String
    }

    /// The schema of an enumeration.
    public struct EnumSchema: Hashable, Sendable {
        /// The name, such as `photos.albumType`.
        public let name: String
    }

    /// The schemas of one area, by their names.
    @dynamicMemberLookup public struct Domain<Schema>: Sendable {
        let name: String
        let make: @Sendable (String) -> Schema

        /// The schema with a name.
        public subscript(dynamicMember member: String) -> Schema { make("\(name).\(member)") }
    }
}

extension AssistantSchemas.IntentSchema {
    private static func domain(_ name: String) -> AssistantSchemas.Domain<Self> {
        AssistantSchemas.Domain(name: name) { Self(name: $0) }
    }

    /// Schemas of the area `audio`.
    public static var audio: AssistantSchemas.Domain<Self> { domain("audio") }
    /// Schemas of the area `books`.
    public static var books: AssistantSchemas.Domain<Self> { domain("books") }
    /// Schemas of the area `browser`.
    public static var browser: AssistantSchemas.Domain<Self> { domain("browser") }
    /// Schemas of the area `calendar`.
    public static var calendar: AssistantSchemas.Domain<Self> { domain("calendar") }
    /// Schemas of the area `camera`.
    public static var camera: AssistantSchemas.Domain<Self> { domain("camera") }
    /// Schemas of the area `clock`.
    public static var clock: AssistantSchemas.Domain<Self> { domain("clock") }
    /// Schemas of the area `files`.
    public static var files: AssistantSchemas.Domain<Self> { domain("files") }
    /// Schemas of the area `finance`.
    public static var finance: AssistantSchemas.Domain<Self> { domain("finance") }
    /// Schemas of the area `fitness`.
    public static var fitness: AssistantSchemas.Domain<Self> { domain("fitness") }
    /// Schemas of the area `health`.
    public static var health: AssistantSchemas.Domain<Self> { domain("health") }
    /// Schemas of the area `home`.
    public static var home: AssistantSchemas.Domain<Self> { domain("home") }
    /// Schemas of the area `journal`.
    public static var journal: AssistantSchemas.Domain<Self> { domain("journal") }
    /// Schemas of the area `mail`.
    public static var mail: AssistantSchemas.Domain<Self> { domain("mail") }
    /// Schemas of the area `maps`.
    public static var maps: AssistantSchemas.Domain<Self> { domain("maps") }
    /// Schemas of the area `media`.
    public static var media: AssistantSchemas.Domain<Self> { domain("media") }
    /// Schemas of the area `messages`.
    public static var messages: AssistantSchemas.Domain<Self> { domain("messages") }
    /// Schemas of the area `music`.
    public static var music: AssistantSchemas.Domain<Self> { domain("music") }
    /// Schemas of the area `news`.
    public static var news: AssistantSchemas.Domain<Self> { domain("news") }
    /// Schemas of the area `notes`.
    public static var notes: AssistantSchemas.Domain<Self> { domain("notes") }
    /// Schemas of the area `phone`.
    public static var phone: AssistantSchemas.Domain<Self> { domain("phone") }
    /// Schemas of the area `photos`.
    public static var photos: AssistantSchemas.Domain<Self> { domain("photos") }
    /// Schemas of the area `presentation`.
    public static var presentation: AssistantSchemas.Domain<Self> { domain("presentation") }
    /// Schemas of the area `reader`.
    public static var reader: AssistantSchemas.Domain<Self> { domain("reader") }
    /// Schemas of the area `reminders`.
    public static var reminders: AssistantSchemas.Domain<Self> { domain("reminders") }
    /// Schemas of the area `shopping`.
    public static var shopping: AssistantSchemas.Domain<Self> { domain("shopping") }
    /// Schemas of the area `spreadsheet`.
    public static var spreadsheet: AssistantSchemas.Domain<Self> { domain("spreadsheet") }
    /// Schemas of the area `system`.
    public static var system: AssistantSchemas.Domain<Self> { domain("system") }
    /// Schemas of the area `travel`.
    public static var travel: AssistantSchemas.Domain<Self> { domain("travel") }
    /// Schemas of the area `visualIntelligence`.
    public static var visualIntelligence: AssistantSchemas.Domain<Self> { domain("visualIntelligence") }
    /// Schemas of the area `whiteboard`.
    public static var whiteboard: AssistantSchemas.Domain<Self> { domain("whiteboard") }
    /// Schemas of the area `wordProcessor`.
    public static var wordProcessor: AssistantSchemas.Domain<Self> { domain("wordProcessor") }
}

extension AssistantSchemas.EntitySchema {
    private static func domain(_ name: String) -> AssistantSchemas.Domain<Self> {
        AssistantSchemas.Domain(name: name) { Self(name: $0) }
    }

    /// Schemas of the area `audio`.
    public static var audio: AssistantSchemas.Domain<Self> { domain("audio") }
    /// Schemas of the area `books`.
    public static var books: AssistantSchemas.Domain<Self> { domain("books") }
    /// Schemas of the area `browser`.
    public static var browser: AssistantSchemas.Domain<Self> { domain("browser") }
    /// Schemas of the area `calendar`.
    public static var calendar: AssistantSchemas.Domain<Self> { domain("calendar") }
    /// Schemas of the area `camera`.
    public static var camera: AssistantSchemas.Domain<Self> { domain("camera") }
    /// Schemas of the area `clock`.
    public static var clock: AssistantSchemas.Domain<Self> { domain("clock") }
    /// Schemas of the area `files`.
    public static var files: AssistantSchemas.Domain<Self> { domain("files") }
    /// Schemas of the area `finance`.
    public static var finance: AssistantSchemas.Domain<Self> { domain("finance") }
    /// Schemas of the area `fitness`.
    public static var fitness: AssistantSchemas.Domain<Self> { domain("fitness") }
    /// Schemas of the area `health`.
    public static var health: AssistantSchemas.Domain<Self> { domain("health") }
    /// Schemas of the area `home`.
    public static var home: AssistantSchemas.Domain<Self> { domain("home") }
    /// Schemas of the area `journal`.
    public static var journal: AssistantSchemas.Domain<Self> { domain("journal") }
    /// Schemas of the area `mail`.
    public static var mail: AssistantSchemas.Domain<Self> { domain("mail") }
    /// Schemas of the area `maps`.
    public static var maps: AssistantSchemas.Domain<Self> { domain("maps") }
    /// Schemas of the area `media`.
    public static var media: AssistantSchemas.Domain<Self> { domain("media") }
    /// Schemas of the area `messages`.
    public static var messages: AssistantSchemas.Domain<Self> { domain("messages") }
    /// Schemas of the area `music`.
    public static var music: AssistantSchemas.Domain<Self> { domain("music") }
    /// Schemas of the area `news`.
    public static var news: AssistantSchemas.Domain<Self> { domain("news") }
    /// Schemas of the area `notes`.
    public static var notes: AssistantSchemas.Domain<Self> { domain("notes") }
    /// Schemas of the area `phone`.
    public static var phone: AssistantSchemas.Domain<Self> { domain("phone") }
    /// Schemas of the area `photos`.
    public static var photos: AssistantSchemas.Domain<Self> { domain("photos") }
    /// Schemas of the area `presentation`.
    public static var presentation: AssistantSchemas.Domain<Self> { domain("presentation") }
    /// Schemas of the area `reader`.
    public static var reader: AssistantSchemas.Domain<Self> { domain("reader") }
    /// Schemas of the area `reminders`.
    public static var reminders: AssistantSchemas.Domain<Self> { domain("reminders") }
    /// Schemas of the area `shopping`.
    public static var shopping: AssistantSchemas.Domain<Self> { domain("shopping") }
    /// Schemas of the area `spreadsheet`.
    public static var spreadsheet: AssistantSchemas.Domain<Self> { domain("spreadsheet") }
    /// Schemas of the area `system`.
    public static var system: AssistantSchemas.Domain<Self> { domain("system") }
    /// Schemas of the area `travel`.
    public static var travel: AssistantSchemas.Domain<Self> { domain("travel") }
    /// Schemas of the area `visualIntelligence`.
    public static var visualIntelligence: AssistantSchemas.Domain<Self> { domain("visualIntelligence") }
    /// Schemas of the area `whiteboard`.
    public static var whiteboard: AssistantSchemas.Domain<Self> { domain("whiteboard") }
    /// Schemas of the area `wordProcessor`.
    public static var wordProcessor: AssistantSchemas.Domain<Self> { domain("wordProcessor") }
}

extension AssistantSchemas.EnumSchema {
    private static func domain(_ name: String) -> AssistantSchemas.Domain<Self> {
        AssistantSchemas.Domain(name: name) { Self(name: $0) }
    }

    /// Schemas of the area `audio`.
    public static var audio: AssistantSchemas.Domain<Self> { domain("audio") }
    /// Schemas of the area `books`.
    public static var books: AssistantSchemas.Domain<Self> { domain("books") }
    /// Schemas of the area `browser`.
    public static var browser: AssistantSchemas.Domain<Self> { domain("browser") }
    /// Schemas of the area `calendar`.
    public static var calendar: AssistantSchemas.Domain<Self> { domain("calendar") }
    /// Schemas of the area `camera`.
    public static var camera: AssistantSchemas.Domain<Self> { domain("camera") }
    /// Schemas of the area `clock`.
    public static var clock: AssistantSchemas.Domain<Self> { domain("clock") }
    /// Schemas of the area `files`.
    public static var files: AssistantSchemas.Domain<Self> { domain("files") }
    /// Schemas of the area `finance`.
    public static var finance: AssistantSchemas.Domain<Self> { domain("finance") }
    /// Schemas of the area `fitness`.
    public static var fitness: AssistantSchemas.Domain<Self> { domain("fitness") }
    /// Schemas of the area `health`.
    public static var health: AssistantSchemas.Domain<Self> { domain("health") }
    /// Schemas of the area `home`.
    public static var home: AssistantSchemas.Domain<Self> { domain("home") }
    /// Schemas of the area `journal`.
    public static var journal: AssistantSchemas.Domain<Self> { domain("journal") }
    /// Schemas of the area `mail`.
    public static var mail: AssistantSchemas.Domain<Self> { domain("mail") }
    /// Schemas of the area `maps`.
    public static var maps: AssistantSchemas.Domain<Self> { domain("maps") }
    /// Schemas of the area `media`.
    public static var media: AssistantSchemas.Domain<Self> { domain("media") }
    /// Schemas of the area `messages`.
    public static var messages: AssistantSchemas.Domain<Self> { domain("messages") }
    /// Schemas of the area `music`.
    public static var music: AssistantSchemas.Domain<Self> { domain("music") }
    /// Schemas of the area `news`.
    public static var news: AssistantSchemas.Domain<Self> { domain("news") }
    /// Schemas of the area `notes`.
    public static var notes: AssistantSchemas.Domain<Self> { domain("notes") }
    /// Schemas of the area `phone`.
    public static var phone: AssistantSchemas.Domain<Self> { domain("phone") }
    /// Schemas of the area `photos`.
    public static var photos: AssistantSchemas.Domain<Self> { domain("photos") }
    /// Schemas of the area `presentation`.
    public static var presentation: AssistantSchemas.Domain<Self> { domain("presentation") }
    /// Schemas of the area `reader`.
    public static var reader: AssistantSchemas.Domain<Self> { domain("reader") }
    /// Schemas of the area `reminders`.
    public static var reminders: AssistantSchemas.Domain<Self> { domain("reminders") }
    /// Schemas of the area `shopping`.
    public static var shopping: AssistantSchemas.Domain<Self> { domain("shopping") }
    /// Schemas of the area `spreadsheet`.
    public static var spreadsheet: AssistantSchemas.Domain<Self> { domain("spreadsheet") }
    /// Schemas of the area `system`.
    public static var system: AssistantSchemas.Domain<Self> { domain("system") }
    /// Schemas of the area `travel`.
    public static var travel: AssistantSchemas.Domain<Self> { domain("travel") }
    /// Schemas of the area `visualIntelligence`.
    public static var visualIntelligence: AssistantSchemas.Domain<Self> { domain("visualIntelligence") }
    /// Schemas of the area `whiteboard`.
    public static var whiteboard: AssistantSchemas.Domain<Self> { domain("whiteboard") }
    /// Schemas of the area `wordProcessor`.
    public static var wordProcessor: AssistantSchemas.Domain<Self> { domain("wordProcessor") }
}
