import AppIntents

/// A note, as intents and queries by properties see it.
struct NoteEntity: IndexedEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Note"
    static let defaultQuery = NoteQuery()

    let id: String
    @Property(title: "Title", indexingKey: \.title) var title: String
    @Property(title: "Tags", indexingKey: \.keywords) var tags: [String]
    @Property(title: "Modified", indexingKey: \.contentModificationDate) var modified: Date

    init(_ note: Note) {
        id = note.name
        title = note.title
        tags = note.tags
        modified = note.modified
    }

    var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(title: "\(title)", subtitle: "\(id)")
    }
}

extension Note {
    /// The item of the note, which queries by properties find as a `NoteEntity`.
    var entityItem: CSSearchableItem {
        let item = searchableItem
        item.associateAppEntity(NoteEntity(self))
        return item
    }
}
