import BatonCore

/// Stores the vectors that a program has made of texts, in a transaction of one lane.
struct MeaningWriter {
    let database: LaneDatabase

    /// Drops the vectors of other models.
    func prepare(_ model: String) throws(StoreFailure) {
        guard try database.tables.vectors.model() != model else { return }
        try database.tables.vectors.begin(model)
        database.search.noteVectors()
    }

    /// Stores the vectors that belong to this lane, except those of texts that have changed or are gone.
    func store(_ vectors: [MeaningVector], of model: String, in lane: Lane) throws(StoreFailure) {
        guard !database.search.isFilling, try database.tables.vectors.model() == model else { return }
        for vector in vectors where vector.lane == lane {
            guard try text(of: vector.unknown)?.meaning == vector.unknown.text else { continue }
            try database.tables.vectors.keep(vector.vector?.bytes ?? [], of: vector.unknown.number)
        }
    }

    /// Returns the text that a thing has now; nil if it has none.
    private func text(of unknown: UnknownMeaning) throws(StoreFailure) -> SearchText? {
        switch unknown.subject {
        case .item:
            return try database.records.stored(number: unknown.number).flatMap { SearchText($0.record) }
        case .activity:
            return try database.records.stored(number: unknown.number)?.record.savedActivity?.searchText
        case .kept(let name):
            let note = try database.tables.notes.note(in: .keptActivity, named: name.key.name)
            return note.flatMap { KeptActivities([$0])[name]?.searchText }
        }
    }
}
