/// The schemas of Apple's systems, by which an assistant knows what a type stands for.
///
/// On Linux a schema is a name, which the compiler doesn't check.
public enum AssistantSchemas {
    /// The schema of an intent.
    public struct IntentSchema: AssistantSchema {
        /// The name, such as `photos.createAlbum`.
        public let name: String

        /// Creates the schema with a name.
        public init(name: String) { self.name = name }
    }

    /// The schema of an entity.
    public struct EntitySchema: AssistantSchema {
        /// The name, such as `photos.album`.
        public let name: String

        /// Creates the schema with a name.
        public init(name: String) { self.name = name }
    }

    /// The schema of an enumeration.
    public struct EnumSchema: AssistantSchema {
        /// The name, such as `photos.albumType`.
        public let name: String

        /// Creates the schema with a name.
        public init(name: String) { self.name = name }
    }

    /// The schemas of one area, by their names.
    @dynamicMemberLookup public struct Domain<Schema: AssistantSchema>: Sendable {
        let name: String

        /// The schema with a name.
        public subscript(dynamicMember member: String) -> Schema { Schema(name: "\(name).\(member)") }
    }
}
