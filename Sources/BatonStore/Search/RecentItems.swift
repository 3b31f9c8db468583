import BatonCore

/// The words of the newest items and of the items that the person opened last, kept in memory.
///
/// A search for a single letter or a frequent word finds more items than can be ranked while a person types. Such a
/// search is answered from these items. Items are ordered by their stamps instead of their arrival, so devices in step
/// have the same newest items.
final class RecentItems {
    /// The largest number of items that are kept because they are the newest.
    private let newestMost: Int
    /// The largest number of items that are kept because the person opened them last.
    private let openedMost: Int

    private let tables: LaneTables
    private let records: RecordReader

    /// The texts of items.
    ///
    /// A text is removed when its item changes, until the text is read again.
    private var texts = NumberedTexts()
    /// Whether `texts` has the texts of exactly the newest and the last opened items.
    private var isChosen = false
    /// How the person used items and saved activities (`uses`), and the record numbers of the used items in the index
    /// (`used`).
    private var uses: [RecordIdentity: Engagement] = [:]
    private var used: [Int64: RecordIdentity] = [:]
    /// For each record that counts openings, by its number, the item or the activity that was opened.
    private var counted: [Int64: RecordIdentity] = [:]
    /// The apps whose items are left out, because they are not searched.
    private var appsOff: Set<String> = []
    /// The progress of the store up to which changes are known, and the version of the store at that time.
    ///
    /// This is nil before the first search.
    private var known: (progress: ProgressTable.Content, version: Int64?)?

    init(_ tables: LaneTables, _ records: RecordReader, newestMost: Int = 4096, openedMost: Int = 1024) {
        (self.tables, self.records) = (tables, records)
        (self.newestMost, self.openedMost) = (newestMost, openedMost)
    }

    /// Returns how the person used the item with a number; nil if the person never opened the item.
    func use(of number: Int64) -> Engagement? { used[number].flatMap { uses[$0] } }

    /// Returns how the person used an item or an activity; nil if the person never opened it.
    func use(of thing: RecordIdentity) -> Engagement? { uses[thing] }

    /// Visits the items that have all phrases.
    ///
    /// The closure is given the item, the places of the phrases in its text, and the number of words in each column.
    func visitMatches(
        _ phrases: [SearchTerm], _ body: (Int64, [TextRank.Place], _ sizes: [Int]) -> Void
    ) throws(StoreFailure) {
        try readTexts()
        texts.visitMatches(phrases.map(\.phrase), body)
    }

    // MARK: Keeping up

    /// Reads the changes of the store since the last search, up to the state with this version.
    ///
    /// Items of the apps in `appsOff` are left out.
    func update(to version: Int64?, without appsOff: Set<String>) throws(StoreFailure) {
        if appsOff != self.appsOff { (self.appsOff, isChosen) = (appsOff, false) }
        if let known, let version, known.version == version { return }
        guard let progress = try tables.progress.content() else { throw tables.rows.damaged(.outOfRange) }
        let known = self.known.take()
        // Everything is read again after a clear, which may remove any number of items, and after more arrivals than
        // items are kept.
        guard let known = known?.progress, known.order == progress.order, known.head <= progress.head,
            let changed = try tables.records.changed(after: known.head, most: newestMost),
            !changed.contains(where: { $0.identity.kind == .indexClear })
        else {
            try readUses()
            self.known = (progress, version)
            return
        }
        // Items may also disappear without an arrival, because clears and sweeps remove them in steps.
        isChosen = false
        if known.removals != progress.removals { try forgetRemovedUses() }
        for (number, identity) in changed {
            switch identity.kind {
            case .item:
                texts.remove(number)
                used[number] = uses[identity] == nil ? nil : identity
            case .engagement: try readUse(number)
            default: break
            }
        }
        self.known = (progress, version)
    }

    /// Reads the counts of openings of all items and activities again.
    private func readUses() throws(StoreFailure) {
        texts = NumberedTexts()
        uses = [:]
        used = [:]
        counted = [:]
        isChosen = false
        for number in try tables.records.numbers(of: .engagement) { try readUse(number) }
    }

    /// Removes the uses whose counts are no longer in the store.
    private func forgetRemovedUses() throws(StoreFailure) {
        guard !counted.isEmpty else { return }
        let present = Set(try tables.records.numbers(of: .engagement))
        for (number, thing) in counted where !present.contains(number) {
            counted[number] = nil
            uses[thing] = nil
        }
    }

    /// Reads a record that counts openings: how often and how recently a thing was opened.
    private func readUse(_ number: Int64) throws(StoreFailure) {
        if let before = counted.removeValue(forKey: number) { uses[before] = nil }
        guard let record = try records.stored(number: number)?.record, let (thing, use) = Self.use(record)
        else { return }
        (counted[number], uses[thing]) = (thing, use)
        if thing.kind == .item, let item = try tables.records.number(of: thing) { used[item] = thing }
    }

    /// Reads which item or saved activity a record counts openings of, and these counts.
    ///
    /// Returns nil if the record counts openings of something else or can't be read.
    private static func use(_ record: Record) -> (thing: RecordIdentity, use: Engagement)? {
        guard let key = record.key, let fields = record.fields else { return nil }
        do throws(CBORError) {
            let thing = try EngagementName(key).thing
            guard thing.kind == .item || thing.kind == .savedActivity else { return nil }
            return (thing, try Engagement(fields))
        } catch {
            // The item is found anyway, as if it had never been opened.
            return nil
        }
    }

    /// Reads the texts of the newest items and of the items that were opened last, and removes all other texts.
    private func readTexts() throws(StoreFailure) {
        guard !isChosen else { return }
        let wanted = Set(try newestItems()).union(try openedItems())
        texts.keep(wanted)
        for number in wanted where !texts.contains(number) {
            let text = try records.item(number: number).flatMap { SearchText($0.content.fields) }
            if let text { texts.add(text, of: number) }
        }
        isChosen = true
    }

    /// Returns the items that were opened last.
    private func openedItems() throws(StoreFailure) -> [Int64] {
        let opened = used.compactMap { number, thing in uses[thing].map { (number, $0.last) } }
            .sorted { ($0.1, $0.0) > ($1.1, $1.0) }.prefix(openedMost)
        var items: [Int64] = []
        for (number, _) in opened { if try isOn(number) { items.append(number) } }
        return items
    }

    /// The factor by which more items are read if some apps are not searched, because the newest items may belong to
    /// these apps.
    private static let spread = 4

    private func newestItems() throws(StoreFailure) -> [Int64] {
        guard !appsOff.isEmpty else { return try tables.records.newestItems(most: newestMost) }
        var newest: [Int64] = []
        for number in try tables.records.newestItems(most: Self.spread * newestMost)
        where newest.count < newestMost {
            if try isOn(number) { newest.append(number) }
        }
        return newest
    }

    /// Whether the app of an item is searched.
    private func isOn(_ number: Int64) throws(StoreFailure) -> Bool {
        guard !appsOff.isEmpty else { return true }
        return try tables.records.app(of: number).map { !appsOff.contains($0) } ?? false
    }
}

extension Engagement {
    /// The time when the item or the activity was last opened.
    fileprivate var last: WallTime { counters.map(\.last).max() ?? .never }
}
