package import BatonCore

/// Vectors that stand for the meaning of texts; `MeaningWriter` stores them.
extension SQLiteLane {
    /// Drops the vectors of other models.
    package func prepareVectors(of model: String) throws(StoreFailure) {
        try change { (database) throws(StoreFailure) in try MeaningWriter(database: database).prepare(model) }
    }

    /// Stores the vectors that belong to this lane, except those of texts that have changed or are gone.
    package func keep(_ vectors: [MeaningVector], of model: String) throws(StoreFailure) {
        try change { (database) throws(StoreFailure) in
            try MeaningWriter(database: database).store(vectors, of: model, in: lane)
        }
    }
}
