import BatonCore

/// The rows of the table `vectors`, which has a vector for the text of each item or activity.
///
/// A row is found by the number of the item's or the activity's record.
struct VectorTable {
    let rows: LaneRows

    /// Returns the negative number that identifies an activity without a record.
    ///
    /// An activity has no record if this device keeps the activity for itself.
    static func number(ofKept name: [UInt8]) -> Int64 {
        number(ofKept: RecordKey(kind: .savedActivity, name: name).identity)
    }

    /// Returns the same number for the identity that a record of the activity would have.
    static func number(ofKept identity: RecordIdentity) -> Int64 { -1 - Int64(identity.hash.low >> 2) }

    /// Returns the name of the model that made the vectors; nil if no model is stored.
    func model() throws(StoreFailure) -> String? {
        try rows.statement("SELECT name FROM vector_model").first([]) { (row) in row.text(0) }
    }

    /// Stores the name of the model, and removes all vectors.
    func begin(_ model: String) throws(StoreFailure) {
        try removeAll()
        try rows.removeAll(from: "vector_model")
        try rows.run("INSERT INTO vector_model (only, name) VALUES (1, ?)", .text(model))
    }

    /// Stores the vector of a record.
    ///
    /// An empty vector says that the record has none.
    func keep(_ vector: [UInt8], of number: Int64) throws(StoreFailure) {
        try rows.run(
            "INSERT OR REPLACE INTO vectors (record, vector) VALUES (?, ?)", .integer(number), .blob(vector))
    }

    /// Whether a record has a vector, or is known to have none.
    func has(_ number: Int64) throws(StoreFailure) -> Bool {
        try rows.statement("SELECT 1 FROM vectors WHERE record = ?").first([.integer(number)]) { _ in true }
            ?? false
    }

    func remove(_ number: Int64) throws(StoreFailure) {
        try rows.run("DELETE FROM vectors WHERE record = ?", .integer(number))
    }

    /// Removes all vectors, but not the name of the model that makes them.
    func removeAll() throws(StoreFailure) { try rows.removeAll(from: "vectors") }

    /// Visits the vectors of the `most` records with the largest numbers.
    func visitNewest(_ most: Int, _ body: (Int64, [UInt8]) -> Void) throws(StoreFailure) {
        try rows.statement("SELECT record, vector FROM vectors ORDER BY record DESC LIMIT ?")
            .rows([.integer(Int64(most))]) { (row) in
                body(row.integer(0), row.blob(1))
                return true
            }
    }
}

extension Activity {
    /// The texts by which searches find a saved activity.
    ///
    /// This is nil if searches may not find the activity, or if its texts have no words.
    var searchText: SearchText? { eligibility.contains(.search) ? SearchText(self) : nil }
}
