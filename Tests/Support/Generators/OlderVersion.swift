package import BatonCore

/// A device of this version that reads the records of a `NewerVersion`, changes them, and writes them again.
package struct OlderVersion {
    private var journal: Journal
    private var generator: SeededGenerator
    private let now = WallTime(milliseconds: 2000)

    /// The title that it gives to the records that it changes.
    package static let title = "changed by an older version"

    package init(seed: UInt64) {
        generator = SeededGenerator(seed: seed + 1000)
        journal = Journal(life: generator.identifier(), latest: HybridTime(value: 5000 << 16))
    }

    /// Returns the records of a newer version in a store, in the order in which it wrote them.
    package static func records(
        of newer: NewerVersion, in store: any AccountStore
    ) throws -> [RecordIdentity: Record] {
        var records: [RecordIdentity: Record] = [:]
        for key in newer.records { records[key.identity] = try store.record(key.identity) }
        return records
    }

    /// Returns its changes to the records that it knows.
    ///
    /// It updates the item in part, moves it to another domain, and writes the changed activities whole.
    package mutating func changes(
        _ records: [RecordIdentity: Record], of newer: NewerVersion
    ) throws -> [StoreTransaction] {
        var update = generator.update()
        update.attributes[.title] = .plain(.string(Self.title))
        var drafts: [Journal.Draft] = []
        if let record = records[newer.item.key.identity], let item = try record.item(newer.item) {
            drafts.append(
                Journal.Draft(update.action(on: item, newer.item, of: record.incarnation), newer.item.key))
        }
        for key in [newer.saved.key, newer.current.key] {
            guard let fields = records[key.identity]?.fields else { continue }
            var activity = try Activity(fields)
            activity.title = Self.title
            activity.attributes[.subject] = .plain(.string(Self.title))
            let content =
                key.kind == .savedActivity ? activity.content(savedBy: newer.saved.app) : activity.content
            drafts.append(Journal.Draft(.full(content), key))
        }
        return drafts.map { transaction($0) }
    }

    /// Returns the move of the item to another domain, for which the item is written whole.
    package mutating func move(
        _ records: [RecordIdentity: Record], of newer: NewerVersion
    ) throws -> [StoreTransaction] {
        guard let record = records[newer.item.key.identity], let item = try record.item(newer.item) else {
            return []
        }
        var update = Item.Update()
        update.domain = "moved"
        return [
            transaction(
                Journal.Draft(update.action(on: item, newer.item, of: record.incarnation), newer.item.key))
        ]
    }

    private mutating func transaction(_ draft: Journal.Draft) -> StoreTransaction {
        guard let transaction = journal.transaction(draft.key.kind.lane, [draft], now: now) else {
            preconditionFailure("nothing here is beyond limits")
        }
        return transaction
    }

    /// Describes records that differ from the newer version's, or that were not changed as this version changes them.
    package static func complaints(_ records: [RecordIdentity: Record], of newer: NewerVersion) -> [String] {
        let changed = [newer.item.key, newer.saved.key, newer.current.key]
        return newer.records.flatMap { key -> [String] in
            guard let fields = records[key.identity]?.fields else { return ["\(key) is gone"] }
            let expected = Record(merging: newer.writes(to: key)).fields ?? Fields()
            guard changed.contains(key) else { return fields == expected ? [] : ["\(key) is another"] }
            var complaints: [String] = []
            let unknown = expected.filter { NewerVersion.isUnknown($0) }
            if unknown.count < 3 { complaints.append("\(key) has no unknown fields") }
            if fields.filter({ NewerVersion.isUnknown($0) }) != unknown {
                complaints.append("\(key) lost fields")
            }
            let title: UInt64 = key.kind == .item ? Attribute.title.number : 2
            if fields[.number(title)] != PropertyValue.string(Self.title).encoded {
                complaints.append("\(key) was not changed")
            }
            return complaints
        }
    }
}

extension Record {
    /// The item of that name in this record, or nil if it is not there.
    fileprivate func item(_ name: ItemName) throws(CBORError) -> Item? {
        guard let content else { return nil }
        return try Item(name, content)
    }
}

extension Fields {
    /// Returns the fields whose names satisfy the closure.
    package func filter(_ isWanted: (FieldName) -> Bool) -> Fields {
        var kept = Fields()
        for field in self where isWanted(field.name) { kept[field.name] = Array(field.value) }
        return kept
    }
}
