import BatonCore
import BatonStore

/// The things at a node that searches may find, read from the records one by one, and compared with what is searched for
/// without any index.
struct PlainSearch {
    private(set) var things: [Thing] = []
    /// The number of items of each app, also of those whose names can't be read.
    private var itemCounts: [String: Int] = [:]
    /// How the person used items and activities.
    private var uses: [RecordIdentity: Engagement] = [:]
    /// How the person used activities that only this device keeps.
    private let keptUses: [RecordIdentity: Engagement]
    /// The activities that other devices may have, also those for which another one stands.
    private(set) var replicatedCount = 0
    /// The activities that this device keeps for itself.
    let kept: KeptActivities

    /// An item or a saved activity.
    struct Thing {
        let identity: RecordIdentity
        let name: String
        let app: String
        let expiration: WallTime?
        /// The words of each text, from the one with the highest weight to the one with the lowest; nil without any.
        let words: [[String]]?
        let facts: RankFacts
        let age: Age
        let content: Content

        enum Content: Equatable {
            case item(ItemName, Write.Content, incarnation: Stamp)
            case activity(FoundActivity, Activity)
        }

        var isItem: Bool { if case .item = content { true } else { false } }

        func hasExpired(at now: WallTime) -> Bool { expiration.map { $0 <= now } ?? false }

        /// Whether the thing is still as the other one was.
        func isUnchanged(since other: Thing) -> Bool {
            identity == other.identity && content == other.content && expiration == other.expiration
        }
    }

    /// The place of a thing in the order in which things were indexed or ended.
    struct Age {
        let time: Int64
        let names: [String]

        /// Whether the thing comes before another one of equal rank.
        func precedes(_ other: Age) -> Bool {
            guard time == other.time else { return time > other.time }
            return names.lexicographicallyPrecedes(other.names) { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
    }

    init(_ contents: SQLiteContents) {
        kept = contents.keptActivities
        keptUses = Dictionary(kept.uses.map { ($0.key.key.identity, $0.value) }) { first, _ in first }
        var replicated: [RecordIdentity: Thing] = [:]
        for record in contents.allRecords {
            switch record.identity.kind {
            case .item:
                if let app = record.content?.scope.parts.first { itemCounts[app, default: 0] += 1 }
                if let item = Thing(itemOf: record) { things.append(item) }
            case .savedActivity:
                if let activity = Thing(activityOf: record) { replicated[record.identity] = activity }
            case .engagement: note(useIn: record)
            default: break
            }
        }
        replicatedCount = replicated.count
        for (name, activity) in kept.activities {
            guard let thing = Thing(name, activity, isHere: true) else { continue }
            // The one that ended last stands for both.
            if let other = replicated[thing.identity], other.age.time > thing.age.time { continue }
            replicated[thing.identity] = thing
        }
        things += replicated.values.sorted { $0.identity < $1.identity }
    }

    private mutating func note(useIn record: Record) {
        guard let key = record.key, let fields = record.fields else { return }
        do throws(CBORError) {
            uses[try EngagementName(key).thing] = try Engagement(fields)
        } catch {
            // Nobody can read such a count.
        }
    }

    // MARK: Shown things

    /// Returns the things that a search in this scope may show.
    func shown(in scope: SearchScope, at now: WallTime) -> [Thing] {
        things.filter { $0.isShown(in: scope, at: now) }
    }

    /// Returns those that a search for words finds.
    func matches(_ typed: String, in scope: SearchScope, at now: WallTime) -> [Thing] {
        let terms = Term.all(of: typed)
        // A search without words finds nothing.
        guard !terms.isEmpty else { return [] }
        return shown(in: scope, at: now).filter { $0.has(terms) }
    }

    /// Returns those that meet a query, in their order.
    func matches(_ query: SearchQuery, in scope: SearchScope, at now: WallTime) -> [Thing] {
        shown(in: scope, at: now).filter { $0.meets(query) }.sorted { $0.age.precedes($1.age) }
    }

    // MARK: Ranks

    /// Returns the rank that a thing has in a search for words; nil if more words complete those that were typed than are
    /// looked for.
    func rank(
        of thing: Thing, for typed: String, in scope: SearchScope, at now: WallTime, completions: Int
    ) -> ItemRank? {
        let terms = Term.all(of: typed)
        guard let counts = counts(of: terms, in: scope, at: now, completions: completions) else { return nil }
        let items = itemCounts.filter { !scope.appsOff.contains($0.key) }.values.reduce(0, +)
        let all = items + activities(in: scope, at: now).count
        let text = TextRank(itemsWith: counts, among: all)
        var places: [TextRank.Place] = []
        for (column, words) in (thing.words ?? []).enumerated() {
            for position in words.indices {
                for (number, term) in terms.enumerated() {
                    guard let isWhole = term.stands(at: position, in: words) else { continue }
                    places.append(
                        TextRank.Place(phrase: number, column: column, position: position, isWhole: isWhole))
                }
            }
        }
        return ItemRank(
            text: text.score(places, sizes: (thing.words ?? []).map(\.count)),
            use: uses[thing.identity] ?? (thing.isItem ? nil : keptUses[thing.identity]), thing.facts, at: now
        )
    }

    /// Returns the number of things with each term, as far as the index can tell: of words that follow one another the
    /// number of those with the rarest one, and of words that go on the sum.
    private func counts(
        of terms: [Term], in scope: SearchScope, at now: WallTime, completions: Int
    ) -> [Int]? {
        let items = itemsWithWords
        let most = completions / max(1, terms.count(where: \.isOpen))
        var counts: [Int] = []
        for term in terms {
            let shown = activities(in: scope, at: now).count { $0.has([term]) }
            if term.isOpen, term.words.count == 1 {
                let longer = items.filter { $0.key.hasPrefix(term.words[0]) }
                guard longer.count <= most else { return nil }
                counts.append(longer.values.reduce(0, +) + shown)
            } else {
                let whole = term.isOpen ? term.words.dropLast() : term.words[...]
                counts.append((whole.map { items[$0] ?? 0 }.min() ?? 0) + shown)
            }
        }
        return counts
    }

    /// The number of items with each word, also of those that have expired and of apps that are off.
    private var itemsWithWords: [String: Int] {
        var counts: [String: Int] = [:]
        for thing in things where thing.isItem {
            for word in Set((thing.words ?? []).joined()) { counts[word, default: 0] += 1 }
        }
        return counts
    }

    private func activities(in scope: SearchScope, at now: WallTime) -> [Thing] {
        var wide = scope
        (wide.filter, wide.condition) = (SearchFilter(), nil)
        return things.filter { !$0.isItem && $0.words != nil && $0.isShown(in: wide, at: now) }
    }

    /// Whether nothing was typed that is searched for.
    func isBlank(_ typed: String) -> Bool { Term.all(of: typed).isEmpty }

    /// The things with their words, for a story.
    var told: String {
        things.map { thing in
            "\(thing.app)/\(thing.name.suffix(6)) \((thing.words ?? []).map { $0.joined(separator: " ") })"
        }.joined(separator: ", ")
    }

    /// Whether all words that complete those that were typed are looked for.
    func looksForAll(_ typed: String, completions: Int) -> Bool {
        let terms = Term.all(of: typed)
        let (items, most) = (itemsWithWords.keys, completions / max(1, terms.count(where: \.isOpen)))
        return terms.allSatisfy { term in
            !term.isOpen || term.words.count > 1
                || items.count { $0.hasPrefix(term.words[0]) } <= most
        }
    }

    // MARK: Corrections

    /// Returns a word that some thing has and that a person surely meant who typed another one; nil if there is none.
    func correction(
        of typed: String, in scope: SearchScope, at now: WallTime, withActivities: Bool
    ) -> String? {
        let terms = Term.all(of: typed)
        guard let word = terms.first?.words.first, terms.count == 1, terms[0].words.count == 1,
            3...7 ~= word.count, !word.contains(where: \.isNumber), word.allSatisfy(\.isASCII)
        else { return nil }
        // A word that the index or an activity has is no mistake, also where the thing is not shown.
        guard !things.contains(where: { $0.isKnown(in: scope, at: now) && $0.has(terms) }) else { return nil }
        let known = shown(in: scope, at: now).filter { $0.isItem || withActivities }
        let all = Set(known.flatMap { ($0.words ?? []).joined() })
        return all.sorted().first { other in
            EditDistance.between(Array(word.unicodeScalars), Array(other.unicodeScalars), most: 1) == 1
        }
    }
}

extension PlainSearch.Thing {
    /// Whether the words of this thing are correct for a search: those of activities that it may show, and of items of the
    /// app that it is limited to, whatever else it leaves out.
    fileprivate func isKnown(in scope: SearchScope, at now: WallTime) -> Bool {
        guard isItem else {
            var unconditional = scope
            unconditional.condition = nil
            return isShown(in: unconditional, at: now)
        }
        return scope.filter.kind != .activity && scope.filter.admits(app: app)
    }

    init?(itemOf record: Record) {
        guard let name = ItemName(record), let content = record.content else { return nil }
        (identity, app) = (record.identity, name.app)
        self.name = "\(name.app)/\(name.index)/\(name.identifier)"
        expiration = record.plainExpiration
        words = SearchText(record).map { $0.texts.map(Self.words) }
        let fields = RankedFields(name, content.fields)
        facts = fields.facts
        age = PlainSearch.Age(
            time: fields.indexed?.milliseconds ?? .min, names: [name.app, name.index, name.identifier])
        self.content = .item(name, content, incarnation: record.incarnation)
    }

    init?(activityOf record: Record) {
        guard let key = record.key, let activity = record.savedActivity else { return nil }
        do throws(CBORError) {
            self.init(try SavedActivityName(key), activity, isHere: false)
        } catch {
            return nil
        }
    }

    init?(_ name: SavedActivityName, _ activity: Activity, isHere: Bool) {
        guard activity.eligibility.contains(.search) else { return nil }
        let found = FoundActivity(name, activity, isHere: isHere)
        (identity, app, self.name) = (name.key.identity, name.app, found.identifier)
        expiration = activity.expiration
        words = SearchText(activity).map { $0.texts.map(Self.words) }
        facts = RankFacts(activity.attributes.fields, since: activity.end.time)
        age = PlainSearch.Age(time: found.ended.milliseconds, names: [found.app, found.identifier])
        content = .activity(found, activity)
    }

    /// Whether a search in this scope may show the thing.
    func isShown(in scope: SearchScope, at now: WallTime) -> Bool {
        guard !hasExpired(at: now), !scope.appsOff.contains(app) else { return false }
        switch content {
        case .item(let name, let content, _):
            guard scope.filter.admitsItem(of: name.app, content.fields) else { return false }
        case .activity(let found, let activity):
            guard !scope.dismissals.hide(identity, activity), scope.filter.admits(found, [], facts.date)
            else {
                return false
            }
        }
        return scope.condition.map(meets) ?? true
    }

    /// Whether the thing meets a query.
    func meets(_ query: SearchQuery) -> Bool {
        switch content {
        case .item(let name, let content, _):
            query.candidate(name, content).map { query.matches($0.item) } ?? false
        case .activity(_, let activity): query.matches(Item(seeing: activity))
        }
    }

    /// Whether the thing has all terms.
    fileprivate func has(_ terms: [PlainSearch.Term]) -> Bool {
        guard let words else { return false }
        return terms.allSatisfy { term in
            words.contains { words in words.indices.contains { term.stands(at: $0, in: words) != nil } }
        }
    }

    /// Cuts a text of the worlds into words; in a script without spaces these are pairs of letters and the last letter.
    private static func words(of text: String) -> [String] {
        let parts = text.lowercased().split { !$0.isLetter && !$0.isNumber }
        return parts.flatMap { part in
            part.allSatisfy(\.isASCII) ? [String(part)] : pairs(of: part) + part.suffix(1).map { "\($0)" }
        }
    }

    /// Returns the pairs of letters that follow one another.
    fileprivate static func pairs(of letters: Substring) -> [String] {
        zip(letters, letters.dropFirst()).map { "\($0)\($1)" }
    }
}

extension PlainSearch {
    /// A part of what was typed: a word, or text of a script without spaces whose letters follow one another.
    struct Term {
        let words: [String]
        /// Whether the last word may go on.
        let isOpen: Bool

        /// Returns whether the term ends where a word ends; nil if it does not stand at this place.
        func stands(at position: Int, in others: [String]) -> Bool? {
            guard position + words.count <= others.count else { return nil }
            for (place, word) in words.enumerated() {
                let other = others[position + place]
                if isOpen, place == words.count - 1 {
                    guard other.hasPrefix(word) else { return nil }
                    return other == word
                }
                guard other == word else { return nil }
            }
            return true
        }

        static func all(of typed: String) -> [Term] {
            let parts = typed.split(separator: " ")
            return parts.enumerated().map { place, part in
                let isPlain = part.allSatisfy(\.isASCII)
                let isLone = part.count == 1 && !isPlain
                let words = isPlain || isLone ? [part.lowercased()] : Thing.pairs(of: part)
                return Term(
                    words: words, isOpen: isLone || place == parts.count - 1 && !typed.hasSuffix(" "))
            }
        }
    }
}
