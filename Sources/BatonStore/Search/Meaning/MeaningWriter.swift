import BatonCore

/// Stores the vectors that a program of the person has made of texts.
///
/// It must be used in a transaction of the lane.
struct MeaningWriter {
    let database: LaneDatabase

    /// Removes the stored vectors of all models except `model`.
    func prepare(_ model: String) throws(StoreFailure) {
        guard try database.tables.vectors.model() != model else { return }
        try database.tables.vectors.begin(model)
        database.search.noteVectors()
    }

    /// Stores the vectors that belong to this lane.
    ///
    /// A vector is skipped if its text has changed or was removed in the meantime.
    func store(_ vectors: [MeaningVector], of model: String, in lane: Lane) throws(StoreFailure) {
        guard !database.search.isFilling, try database.tables.vectors.model() == model else { return }
        for vector in vectors where vector.lane == lane {
            guard try text(of: vector.unknown)?.meaning == vector.unknown.text else { continue }
            try database.tables.vectors.keep(vector.vector?.bytes ?? [], of: vector.unknown.number)
        }
    }

    /// Returns the present text of an item or an activity; nil if there is none.
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
