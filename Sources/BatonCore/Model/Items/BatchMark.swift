/// The name of a batch of an app.
///
/// The app may send the same batch twice, if it did not learn whether the batch was saved the first time. The mark lets
/// the store save the batch only once.
///
/// For each writer, the store keeps the number of the last batch that it saved. It writes this number in the
/// transaction that saves the batch. A writer has at most one batch with an unknown outcome. So if the stored number is
/// not smaller than the number of a batch, that batch was saved.
package struct BatchMark: Equatable, Sendable {
    /// Random bytes that name the writer.
    ///
    /// The writer is one process of an app, or an earlier process whose spool the app now sends.
    package let writer: [UInt8]
    /// The number of the batch.
    ///
    /// Each batch of a writer has a larger number than the writer's earlier batches.
    package let number: UInt64

    /// The number of bytes that name a writer.
    package static let writerBytes = 16
    /// The largest number of writers that a device remembers.
    ///
    /// It is many times the number of writers that can be connected at the same time. So a writer that may still resend
    /// a batch is not forgotten.
    package static let writersMost = 1024

    package init(writer: [UInt8], number: UInt64) { (self.writer, self.number) = (writer, number) }

    /// Whether the batch is saved already, according to the note of its writer.
    package func isSaved(by note: LocalNote?) -> Bool {
        guard let note else { return false }
        return Kept(note).number >= number
    }

    /// Returns the notes to store with the batch.
    ///
    /// `own` is the note that the batch's writer already has, or nil. If it is nil, `standing` must contain the notes
    /// of all writers.
    package func notes(beside standing: [LocalNote]?, replacing own: LocalNote?) -> [LocalNote] {
        let kept = standing?.map { (note: $0, order: Kept($0).order) } ?? []
        let order = own.map { Kept($0).order } ?? (kept.map(\.order).max() ?? 0) + 1
        let new = LocalNote(
            space: .batchMark, name: writer, value: Kept(number: number, order: order).bytes)
        let removed = kept.sorted { $0.order < $1.order }.dropLast(Self.writersMost - 1)
        return [new] + removed.map { LocalNote(space: .batchMark, name: $0.note.name, value: nil) }
    }

    /// The content of a note: the number of a writer's last batch, and the writer's place in the order in which writers
    /// appeared.
    private struct Kept {
        var number: UInt64
        var order: UInt64

        init(number: UInt64, order: UInt64) { (self.number, self.order) = (number, order) }

        init(_ note: LocalNote) {
            let bytes = note.value ?? []
            func word(_ place: Int) -> UInt64 {
                bytes.dropFirst(8 * place).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
            }
            (number, order) = (word(0), word(1))
        }

        var bytes: [UInt8] {
            [number, order].flatMap { word in
                (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
            }
        }
    }
}
