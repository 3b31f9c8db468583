package import BatonCore

/// The writes of a version of Baton that has more fields and more kinds of records than this one.
///
/// Both versions know `item`, `saved` and `current`, which here carry fields and attributes that this version does not
/// know. The other records are of unknown kinds, one in each lane and one that is permanent.
package struct NewerVersion {
    package let item: ItemName
    package let saved: SavedActivityName
    package let current: ActivityName
    /// All its transactions, by lane, in the order of writing.
    package private(set) var transactions: [StoreTransaction] = []
    private var journal: Journal
    private var generator: SeededGenerator
    private var keys: [RecordKey] = []

    // MARK: Unknown to this version

    package static let itemField: UInt64 = 30
    package static let activityField: UInt64 = 31
    package static let attribute: UInt64 = 300
    package static let kinds = [6, 20, 21].map { RecordKind(rawValue: $0) }

    package init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        let app = "org.example.newer"
        item = ItemName(app: app, index: "main", identifier: "1")
        saved = SavedActivityName(app: app, identifier: "1")
        current = ActivityName(device: generator.identifier(), app: app, instance: "1")
        journal = Journal(life: generator.identifier(), latest: .zero)
        writeKnownKinds()
        writeUnknownKinds()
    }

    /// The keys of all its records.
    package var records: [RecordKey] { keys }

    /// Returns its writes to one record.
    package func writes(to key: RecordKey) -> [Write] {
        transactions.flatMap(\.writes).filter { $0.identity == key.identity }
    }

    /// Returns whether this version does not know that field in the records that it knows.
    package static func isUnknown(_ name: FieldName) -> Bool {
        switch name {
        case .number(itemField), .number(activityField), .number(attribute): true
        case .part(let number, _): number > 1
        default: false
        }
    }

    private mutating func writeKnownKinds() {
        let scope = Scope.items(app: item.app, index: item.index, domain: "notes.work")
        var fields = newer(generator.item().fields, Self.itemField)
        write(.full(Write.Content(scope: scope, fields: fields)), item.key)
        // Counts only a part of the later changes as well.
        let stamp = Stamp(time: journal.clock.latest, life: journal.life)
        fields = Fields { $0.field(Self.attribute) { $0.encoded(self.generator.unknownValue()) } }
        write(.partial(of: stamp, fields), item.key)

        var activity = generator.activity()
        activity.attributes[.domainIdentifier] = .plain(.string("notes.work"))
        let content = Write.Content(
            scope: activity.scope(savedBy: saved.app), fields: newer(activity.fields, Self.activityField))
        write(.full(content), saved.key)
        write(.full(Write.Content(fields: newer(activity.fields, Self.activityField))), current.key)
    }

    private mutating func writeUnknownKinds() {
        for kind in Self.kinds {
            let key = RecordKey(kind: kind, name: generator.unknownValue())
            let content = Write.Content(
                scope: Scope(["new", generator.text()]), fields: newer(generator.fields(), Self.itemField))
            write(.full(content), key)
            guard !kind.isPermanent else { continue }
            let stamp = Stamp(time: journal.clock.latest, life: journal.life)
            write(.partial(of: stamp, generator.unknownFields(2...31)), key)
            let counter = Fields { fields in
                fields.field(.part(7, DeviceIdentifier(high: 1, low: 1))) { $0.unsigned(.max) }
            }
            write(counting: Write.Content(scope: Scope(["new"]), fields: counter), key)
        }
    }

    /// Returns the fields with those of the newer version added.
    private mutating func newer(_ fields: Fields, _ number: UInt64) -> Fields {
        var fields = fields
        for number in [number, Self.attribute] { fields[.number(number)] = generator.unknownValue() }
        fields[.part(9, generator.identifier())] = generator.unknownValue()
        return fields
    }

    private mutating func write(_ action: Write.Action, _ key: RecordKey) {
        commit(Journal.Draft(action, key))
    }

    private mutating func write(counting content: Write.Content, _ key: RecordKey) {
        commit(Journal.Draft(counting: content, key))
    }

    private mutating func commit(_ draft: Journal.Draft) {
        let transaction = journal.transaction(draft.key.kind.lane, [draft], now: WallTime(milliseconds: 1000))
        guard let transaction else { preconditionFailure("the generator draws nothing beyond limits") }
        transactions.append(transaction)
        if !keys.contains(draft.key) { keys.append(draft.key) }
    }
}
