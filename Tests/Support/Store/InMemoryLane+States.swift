import BatonCore

/// Client states: what they cover, and which are shown.
extension InMemoryLane {
    /// Writes the client states that a batch ends with, once it is claimed.
    mutating func end(
        _ states: [EndingState], of transaction: StoreTransaction, changed: inout [RecordIdentity: Record]
    ) -> [Write] {
        let writes = states.map { $0.write(after: complete, completing: transaction.completing, lineage) }
        for write in writes {
            for record in merge(write) { changed[record.identity] = record }
        }
        return writes
    }

    /// Judges all client states anew; returns the names of those whose shown state changed.
    mutating func judgeStates() -> [ClientStateName] {
        guard !states.isEmpty || !shownStates.isEmpty else { return [] }
        let rule = StateRule(complete: complete, dropped: dropped, lineage: lineage)
        var changed: [ClientStateName] = []
        for identity in states.union(shownStates.keys).sorted() {
            let record = records[identity] ?? Record(identity)
            let shown = shownStates[identity]
            let name = shown?.name ?? ShownState(newestOf: record)?.name
            let verdict = rule.verdict(
                on: record, shown: shown, clears: name.map(clearDots) ?? [])
            shownStates[identity] = verdict.shown
            if verdict.shown != shown, let name { changed.append(name) }
        }
        return changed
    }

    /// Returns the dots of the stored clears that delete a whole index.
    private func clearDots(of name: ClientStateName) -> [Dot] {
        hasClears ? name.clears.compactMap { records[$0]?.clearDot } : []
    }

    /// The clears that some client state has not seen.
    var unseenClears: Set<RecordIdentity> {
        guard hasClears else { return [] }
        return Set(states.flatMap { records[$0]?.unseenClears(lineage) { records[$0]?.clearDot } ?? [] })
    }
}
