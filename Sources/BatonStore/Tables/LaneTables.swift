/// All tables of one lane.
///
/// Each table knows its own rows, but not how they relate to the rows of other tables.
final class LaneTables {
    let rows: LaneRows
    let notes: NoteTable
    let progress: ProgressTable
    let claims: ClaimTable
    let quarantine: QuarantineTable
    let tombstones: TombstoneTable
    let peers: PeerTable
    let writes: WriteTable
    let records: RecordTable
    let clears: ClearTable
    let batches: BatchTable
    let states: StateTable
    let usage: UsageTable
    let search: SearchTable
    let words: WordTable
    let wordChanges: WordChangeTable
    let facts: FactTable
    let history: HistoryTable
    let vectors: VectorTable
    let activities: ActivityTable

    init(_ rows: LaneRows) {
        self.rows = rows
        notes = NoteTable(rows: rows)
        progress = ProgressTable(rows: rows)
        claims = ClaimTable(rows: rows, notes: notes)
        quarantine = QuarantineTable(rows: rows, notes: notes)
        tombstones = TombstoneTable(rows: rows)
        peers = PeerTable(rows: rows)
        writes = WriteTable(rows: rows)
        records = RecordTable(rows: rows)
        clears = ClearTable(rows: rows)
        batches = BatchTable(rows: rows)
        states = StateTable(rows: rows)
        usage = UsageTable(rows: rows)
        search = SearchTable(rows: rows)
        words = WordTable(rows: rows)
        wordChanges = WordChangeTable(rows: rows)
        facts = FactTable(rows: rows)
        history = HistoryTable(rows: rows)
        vectors = VectorTable(rows: rows)
        activities = ActivityTable(rows: rows)
    }
}
