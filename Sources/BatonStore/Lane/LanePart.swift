/// A part of a lane that works on its tables, in its transaction, and needs no other part than the reader of records.
class LanePart {
    final let tables: LaneTables
    final let transaction: LaneTransaction
    final let records: RecordReader

    init(_ tables: LaneTables, _ transaction: LaneTransaction, _ records: RecordReader) {
        (self.tables, self.transaction, self.records) = (tables, transaction, records)
    }
}
