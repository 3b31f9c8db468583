/// A part of a lane that works on the tables of the lane in its transaction.
///
/// It is the superclass of the parts that need no other part except `RecordReader`.
class LanePart {
    final let tables: LaneTables
    final let transaction: LaneTransaction
    final let records: RecordReader

    init(_ tables: LaneTables, _ transaction: LaneTransaction, _ records: RecordReader) {
        (self.tables, self.transaction, self.records) = (tables, transaction, records)
    }
}
