package import BatonCore

/// The vector that a program has made of the text of an item.
package struct MeaningVector: Sendable {
    let item: UnknownMeaning
    /// The vector; nil if the program has none for the text.
    let vector: Embedding?

    package init(_ item: UnknownMeaning, _ vector: Embedding?) { (self.item, self.vector) = (item, vector) }
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

    /// Keeps vectors of a model, as far as the items still have these texts.
    package func keep(_ vectors: [MeaningVector], of model: String) throws(StoreFailure) {
        try change { (database) throws(StoreFailure) in
            guard !database.search.isFilling, try database.tables.vectors.model() == model else { return }
            for vector in vectors {
                let record = try database.records.stored(number: vector.item.number)?.record
                guard let text = record.flatMap({ SearchText($0) })?.meaning, text == vector.item.text else {
                    continue
                }
                try database.tables.vectors.keep(vector.vector?.bytes ?? [], of: vector.item.number)
            }
        }
    }
}
