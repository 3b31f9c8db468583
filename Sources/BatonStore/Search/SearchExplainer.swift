import BatonCore

/// Explains why a search shows a thing, or why it does not.
struct SearchExplainer {
    let store: SearchedStore
    let now: WallTime
    let scope: SearchScope
    /// Returns the name under which an item is stored; items of protected indexes have another name there.
    var storedName: (ItemName) -> ItemName = { $0 }

    private var index: LaneReader { store.index }

    /// Explains the items of an app that have an identifier.
    ///
    /// Each index of the app may have one such item. There is at least one explanation, even if there is no such item.
    func explain(_ call: ExplainItem) throws(StoreFailure) -> [SearchExplanation] {
        let words = Self.sought(call.words)
        var explanations = try store.search { () throws(StoreFailure) in
            var found: [(name: ItemName, explanation: SearchExplanation)] = []
            for index in try index.indexes(of: call.app) {
                let name = storedName(ItemName(app: call.app, index: index, identifier: call.identifier))
                if let explanation = try explanation(of: name, words) { found.append((name, explanation)) }
            }
            return found
        }
        guard !explanations.isEmpty else { return [SearchExplanation(.unknown, app: call.app)] }
        if let words {
            for number in explanations.indices where explanations[number].explanation.mayBeShown {
                let name = explanations[number].name
                explanations[number].explanation.place(in: try find(words)) { $0.item?.name == name }
            }
        }
        return explanations.map(\.explanation)
    }

    /// Explains the ended activity whose identifier begins with a text; returns nil if the store knows no such
    /// activity.
    func explain(_ call: ExplainActivity) throws(StoreFailure) -> SearchExplanation? {
        store.stop.beginSearch()
        guard let found = try store.saved.explain(call, at: now, in: scope) else { return nil }
        var explanation = found.explanation
        if let names = found.names, explanation.mayBeShown {
            let hasItem = try store.search { () throws(StoreFailure) in
                var related = RelatedItems(index, at: now)
                return try related.have(names)
            }
            if !hasItem { (explanation.outcome, explanation.words) = (.itemless, []) }
        }
        guard let words = Self.sought(call.words), explanation.mayBeShown else { return explanation }
        explanation.place(in: try find(words)) { $0.activity?.identifier == found.identifier }
        return explanation
    }

    /// Returns the text of a search; nil if the text has no words, because such a search shows nothing.
    private static func sought(_ text: String?) -> String? {
        text.flatMap { Phrase.all(of: $0).isEmpty ? nil : $0 }
    }

    private func find(_ words: String) throws(StoreFailure) -> SearchFinding {
        let request = WordRequest(most: Limits.foundItems, now: now, scope: scope)
        return try WordSearch(request, in: store).find(Phrase.all(of: words))
    }

    /// Explains an item; returns nil if the store has no trace of the item.
    private func explanation(
        of name: ItemName, _ words: String?
    ) throws(StoreFailure) -> SearchExplanation? {
        let identity = name.key.identity
        let stored = try index.records.stored(identity)
        let item = stored.flatMap { FoundItem($0.record) }
        var explanation = SearchExplanation(.shown, title: item?.title, app: name.app, index: name.index)
        guard let stored, item != nil else {
            if try index.tables.batches.changes(identity) {
                explanation.outcome = .merging
            } else if stored != nil {
                explanation.outcome = .deleted
            } else {
                return nil
            }
            return explanation
        }
        explanation.outcome = try outcome(of: stored, name)
        if explanation.outcome == .shown, let words, let text = SearchText(stored.record) {
            explanation.findMissing(words, in: IndexedText(text))
        }
        return explanation
    }

    private func outcome(
        of stored: StoredRecord, _ name: ItemName
    ) throws(StoreFailure) -> SearchExplanation.Outcome {
        if try index.tables.records.hasExpired(stored.number, at: now) ?? false { return .expired }
        if scope.appsOff.contains(name.app) { return .appOff }
        if SearchText(stored.record) == nil { return .wordless }
        let (rules, through) = try index.tables.search.progress()
        if rules != SearchRules.current || through.map({ stored.number > $0 }) ?? false { return .gathering }
        return .shown
    }
}

extension SearchExplanation {
    /// Whether a search may show the thing.
    ///
    /// A thing without the typed words may be shown because of its meaning, or for corrected words.
    fileprivate var mayBeShown: Bool { outcome == .shown || outcome == .lacksWords }

    /// Finds the place of the thing among the results, and changes the outcome accordingly.
    fileprivate mutating func place(in finding: SearchFinding, _ isMeant: (FoundThing) -> Bool) {
        if let place = finding.things.firstIndex(where: { isMeant($0.thing) }) {
            (outcome, words, self.place) = (.shown, [], place + 1)
        } else if outcome == .shown {
            let isJoined = finding.things.contains { $0.parts.contains { isMeant($0.thing) } }
            outcome = isJoined ? .joined : .rankedBelow
        }
    }
}
