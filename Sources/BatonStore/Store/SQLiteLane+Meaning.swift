package import BatonCore

/// The vector that a program has made of the text of an item or an activity.
package struct MeaningVector: Sendable {
    let unknown: UnknownMeaning
    /// The vector; nil if the program has none for the text.
    let vector: Embedding?

    package init(_ unknown: UnknownMeaning, _ vector: Embedding?) {
        (self.unknown, self.vector) = (unknown, vector)
    }

    /// The lane that keeps it.
    package var lane: Lane { unknown.lane }
}

/// Vectors that stand for the meaning of texts.
extension SQLiteLane {
    /// Drops the vectors of other models.
    package func prepareVectors(of model: String) throws(StoreFailure) {
        try change { (database) throws(StoreFailure) in
            guard try database.tables.vectors.model() != model else { return }
            try database.tables.vectors.begin(model)
            database.search.noteVectors()
        }
    }

    /// Keeps those of some vectors of a model that belong to this lane, as far as things still have these texts.
    package func keep(_ vectors: [MeaningVector], of model: String) throws(StoreFailure) {
        try change { (database) throws(StoreFailure) in
            guard !database.search.isFilling, try database.tables.vectors.model() == model else { return }
            for vector in vectors where vector.lane == lane {
                guard try Self.text(of: vector.unknown, in: database)?.meaning == vector.unknown.text else {
                    continue
                }
                try database.tables.vectors.keep(vector.vector?.bytes ?? [], of: vector.unknown.number)
            }
        }
    }

    /// Returns the text that a thing has now; nil if it has none.
    private static func text(
        of unknown: UnknownMeaning, in database: LaneDatabase
    ) throws(StoreFailure) -> SearchText? {
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
