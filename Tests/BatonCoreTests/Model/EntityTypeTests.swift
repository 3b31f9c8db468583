import BatonCore
import Support
import Testing

@Suite struct `Descriptions of types of entities` {
    private static let name = EntityTypeName(app: "org.example.notes", type: "Note")
    private static let note = EntityTypeDescription(
        name, title: "Note", synonyms: ["Memo"],
        properties: [
            EntityTypeDescription.Property("title", kind: "text", attribute: "title"),
            EntityTypeDescription.Property("modified", kind: "date", attribute: "contentModificationDate"),
            EntityTypeDescription.Property("draft", kind: "flag"),
        ], appTitle: "Notes")

    /// The record after these writes, unless clears end them.
    private func record(_ writes: [Write], clears: Clears = Clears()) -> Record {
        var record = Record(Self.name.key.identity)
        for write in writes.compactMap({ clears.remains(of: $0) }) { _ = record.merge(write) }
        return record
    }

    private func write(_ device: UInt64, _ time: UInt64, _ action: Write.Action) -> Write {
        let life = Life(high: device, low: 1)
        return Write(
            dot: Dot(origin: Origin(life: life, lane: .index), sequence: time), key: Self.name.key,
            stamp: Stamp(time: HybridTime(value: time), life: life), action: action)
    }

    @Test func `are read from the fields that they write`() {
        #expect(EntityTypeDescription(record([write(1, 1, .full(Self.note.content))])) == Self.note)
        let plain = EntityTypeDescription(Self.name, title: "")
        #expect(EntityTypeDescription(record([write(1, 1, .full(plain.content))])) == plain)
    }

    @Test func `are in the index lane, so that a private device holds them back like items`() {
        #expect(RecordKind.entityType.lane == .index && RecordKind.entityType.isDeletable)
    }

    @Test func `are those of the latest write, whichever order writes arrive in`() {
        var later = Self.note
        later.properties.removeLast()
        let writes = [write(1, 5, .full(Self.note.content)), write(2, 6, .full(later.content))]
        for order in [writes, writes.reversed()] {
            #expect(EntityTypeDescription(record(order)) == later)
        }
        let deletion = write(1, 7, .deletion)
        for order in [writes + [deletion], [deletion] + writes] {
            #expect(EntityTypeDescription(record(order)) == nil)
        }
    }

    @Test func `end by a clear of the app's types, and not by one of an index`() {
        let written = write(1, 5, .full(Self.note.content))
        for (scope, isEnded) in [
            (Scope.entityTypes(app: "org.example.notes"), true), (.app("org.example.notes"), true),
            (.items(app: "org.example.notes", index: "default"), false),
            (.entityTypes(app: "org.example.mail"), false),
        ] {
            var clears = Clears()
            clears.add(Clear(scope: scope, stamp: write(2, 6, .deletion).stamp))
            #expect((EntityTypeDescription(record([written], clears: clears)) == nil) == isEnded)
        }
    }

    @Test func `are read without the fields of a newer version, and not without their own`()
        throws
    {
        var fields = Self.note.fields
        fields.set(99) { $0.text("more") }
        let content = Write.Content(scope: Self.note.content.scope, fields: fields)
        #expect(EntityTypeDescription(record([write(1, 1, .full(content))])) == Self.note)
        for number: UInt64 in [1, 3] {
            var less = fields
            less[.number(number)] = nil
            #expect(throws: CBORError.self) { try EntityTypeDescription(Self.name, less) }
        }
        fields.set(3) { $0.text("no list") }
        #expect(throws: CBORError.self) { try EntityTypeDescription(Self.name, fields) }
        #expect(EntityTypeDescription(record([write(1, 1, .full(Write.Content(fields: fields)))])) == nil)
    }

    @Test func `have a limit in bytes, with room for many properties`() {
        var large = Self.note
        large.properties = (0..<200).map {
            EntityTypeDescription.Property(
                "aPropertyWithALongName\($0)", kind: "paymentMethod",
                attribute: "org_example_notes_attribute_\($0)"
            )
        }
        #expect(large.isAllowed)
        large.title = String(repeating: "x", count: Limits.entityTypeBytes)
        #expect(!large.isAllowed)
    }
}
