/// The name of a batch that an app may send twice, because it did not learn whether the batch was saved the first time.
///
/// The store keeps the last number of each writer in the transaction that saves the batch. A writer has at most one
/// batch with an unknown outcome, so a stored number that is not smaller means that the batch was saved.
package struct BatchMark: Equatable, Sendable {
    /// The writer, which is one process of an app, or a predecessor whose spool it empties; random bytes.
    package let writer: [UInt8]
    /// The number of the batch, which is larger than the numbers of all earlier batches of its writer.
    package let number: UInt64

    /// The number of bytes that name a writer.
    package static let writerBytes = 16
    /// The number of writers that a device remembers: many times the number that can be connected at the same time, so
    /// that no writer that may resend a batch is forgotten.
    package static let writersMost = 1024

    package init(writer: [UInt8], number: UInt64) { (self.writer, self.number) = (writer, number) }

    /// Whether the note of its writer says that the batch is saved already.
    package func isSaved(by note: LocalNote?) -> Bool {
        guard let note else { return false }
        return Kept(note).number >= number
    }

    /// Returns the notes to store with the batch.
    ///
    /// `own` is the note that its writer has already, if any; otherwise `standing` must have the notes of all writers.
    package func notes(beside standing: [LocalNote]?, replacing own: LocalNote?) -> [LocalNote] {
        let kept = standing?.map { (note: $0, order: Kept($0).order) } ?? []
        let order = own.map { Kept($0).order } ?? (kept.map(\.order).max() ?? 0) + 1
        let new = LocalNote(
            space: .batchMark, name: writer, value: Kept(number: number, order: order).bytes)
        let removed = kept.sorted { $0.order < $1.order }.dropLast(Self.writersMost - 1)
        return [new] + removed.map { LocalNote(space: .batchMark, name: $0.note.name, value: nil) }
    }

    /// The content of a note: the last number of a writer, and the place of the writer in the order in which writers
    /// came.
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
