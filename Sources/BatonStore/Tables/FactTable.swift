import BatonCore

/// The rows of the table `facts`, which has the values of items by which queries find the items.
struct FactTable {
    let rows: LaneRows

    /// A fact of a record, and the place of the record in the order of indexing (`place(of:)`).
    private struct Fact {
        let fact: ItemFact
        let number: Int64
        let place: Int64

        /// Orders facts as the table orders its rows.
        ///
        /// Writing facts in this order changes the fewest pages.
        static func precedes(_ left: Self, _ right: Self) -> Bool {
            let (fact, other) = (left.fact, right.fact)
            if fact.subject != other.subject { return fact.subject.number < other.subject.number }
            return fact.value == other.value ? left.number < right.number : fact.value < other.value
        }
    }

    /// Changes the facts of records.
    func change(_ changes: [(number: Int64, old: ItemFacts?, new: ItemFacts?)]) throws(StoreFailure) {
        var (removed, added): ([Fact], [Fact]) = ([], [])
        for (number, old, new) in changes where old != new {
            let (before, after) = (old?.facts ?? [], new?.facts ?? [])
            let place = Self.place(of: new?.indexed)
            removed += before.filter { !after.contains($0) }.map {
                Fact(fact: $0, number: number, place: place)
            }
            let isSame = old?.indexed == new?.indexed
            added += after.filter { !isSame || !before.contains($0) }.map {
                Fact(fact: $0, number: number, place: place)
            }
        }
        try remove(removed.sorted(by: Fact.precedes))
        try insert(added.sorted(by: Fact.precedes))
    }

    private func insert(_ facts: [Fact]) throws(StoreFailure) {
        guard !facts.isEmpty else { return }
        let statement = try rows.statement(
            "INSERT OR REPLACE INTO facts (subject, value, record, indexed) VALUES (?, ?, ?, ?)")
        for fact in facts {
            try statement.run([
                .integer(fact.fact.subject.number), Self.value(fact.fact.value), .integer(fact.number),
                .integer(fact.place),
            ])
        }
    }

    private func remove(_ facts: [Fact]) throws(StoreFailure) {
        for fact in facts {
            try rows.run(
                "DELETE FROM facts WHERE subject = ? AND value = ? AND record = ?",
                .integer(fact.fact.subject.number), Self.value(fact.fact.value), .integer(fact.number))
        }
    }

    /// Removes all facts.
    func removeAll() throws(StoreFailure) { try rows.removeAll(from: "facts") }

    /// A record that has a fact, and its place in the order of indexing (`place(of:)`).
    struct Candidate: Equatable {
        let number: Int64
        let place: Int64
    }

    /// Returns the place of an item in the order of indexing.
    ///
    /// An item that was indexed later has an equal or a larger place.
    ///
    /// The unit of a place is 1,024 ms. Such numbers take less space in the table than milliseconds.
    static func place(of indexed: WallTime?) -> Int64 { (indexed?.milliseconds ?? .min) >> 10 }

    /// Returns the records that have a fact in at least one of the ranges.
    ///
    /// The records are in the order of their numbers, without repetitions. Returns nil if more than `most` rows are
    /// found.
    func candidates(in ranges: [FactRange], most: Int) throws(StoreFailure) -> [Candidate]? {
        var (candidates, left, isSorted) = ([Candidate](), most, true)
        for range in ranges + [.others] {
            try rows.statement(
                """
                SELECT record, indexed FROM facts WHERE subject = ? AND value >= ? AND value <= ? LIMIT ?
                """
            ).rows([
                .integer(range.subject.number), Self.value(range.low), Self.value(range.high),
                .integer(Int64(left + 1)),
            ]) { (row) in
                let candidate = Candidate(number: row.integer(0), place: row.integer(1))
                // The rows are in the order of the record numbers only within one value.
                if let last = candidates.last, last.number >= candidate.number { isSorted = false }
                candidates.append(candidate)
                left -= 1
                return true
            }
            if left < 0 { return nil }
        }
        guard !isSorted else { return candidates }
        candidates.sort { $0.number < $1.number }
        return candidates.withoutRepetitions
    }

    /// A fact of a record, where the attribute is known.
    struct Entry: Equatable {
        let value: ItemFact.Value
        let record: Int64
    }

    /// Whether any item has a fact with this subject.
    func has(_ subject: ItemFact.Subject) throws(StoreFailure) -> Bool {
        let statement = try rows.statement("SELECT 1 FROM facts WHERE subject = ? LIMIT 1")
        return try statement.first([.integer(subject.number)]) { (_) in true } ?? false
    }

    /// Returns the facts with this subject that follow one of them, in the order of their values.
    ///
    /// Without such a fact, the first ones are returned.
    func entries(
        of subject: ItemFact.Subject, after last: Entry?, isDescending: Bool, most: Int
    ) throws(StoreFailure) -> [Entry] {
        let (direction, relation) = isDescending ? ("DESC", "<") : ("ASC", ">")
        let rest = last.map { [Self.value($0.value), SQLiteValue.integer($0.record)] } ?? []
        let statement = try rows.statement(
            """
            SELECT value, record FROM facts
            WHERE subject = ? \(rest.isEmpty ? "" : "AND (value, record) \(relation) (?, ?)")
            ORDER BY value \(direction), record \(direction) LIMIT ?
            """)
        var entries: [Entry] = []
        try statement.rows([.integer(subject.number)] + rest + [.integer(Int64(most))]) { (row) in
            let value: ItemFact.Value =
                if case .blob(let bytes) = row.value(0) { .text(bytes) } else { .real(row.real(0)) }
            entries.append(Entry(value: value, record: row.integer(1)))
            return true
        }
        return entries
    }

    private static func value(_ value: ItemFact.Value) -> SQLiteValue {
        switch value {
        // SQLite compares integers and reals by value, and a small integer takes less space.
        case .real(let number): Int64(exactly: number).map { .integer($0) } ?? .real(number)
        case .text(let bytes): .blob(bytes)
        }
    }
}

extension [FactTable.Candidate] {
    /// The candidates of a sorted list without repetitions.
    fileprivate var withoutRepetitions: Self {
        var kept: Self = []
        kept.reserveCapacity(count)
        for candidate in self where kept.last?.number != candidate.number { kept.append(candidate) }
        return kept
    }

    /// Returns the candidates that are also in another list.
    ///
    /// Both lists must be in the order of the record numbers.
    func common(with other: Self) -> Self {
        var (common, place) = (Self(), 0)
        for candidate in self {
            while place < other.count, other[place].number < candidate.number { place += 1 }
            guard place < other.count else { break }
            if other[place].number == candidate.number { common.append(candidate) }
        }
        return common
    }
}
