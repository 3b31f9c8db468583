package import BatonCore

/// The vectors that represent the meaning of texts.
///
/// `MeaningWriter` stores these vectors.
extension SQLiteLane {
    /// Removes the stored vectors of all models except `model`.
    package func prepareVectors(of model: String) throws(StoreFailure) {
        try change { (database) throws(StoreFailure) in try MeaningWriter(database: database).prepare(model) }
    }

    /// Stores the vectors that belong to this lane.
    ///
    /// A vector is skipped if its text has changed or was removed in the meantime.
    package func keep(_ vectors: [MeaningVector], of model: String) throws(StoreFailure) {
        try change { (database) throws(StoreFailure) in
            try MeaningWriter(database: database).store(vectors, of: model, in: lane)
        }
    }
}
