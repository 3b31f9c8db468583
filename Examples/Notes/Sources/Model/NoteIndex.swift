import CoreSpotlight

/// Keeps the search index in step with a notebook.
@MainActor final class NoteIndex: NSObject {
    private static let name = "notes"
    private let notebook: Notebook
    private let index = CSSearchableIndex(name: NoteIndex.name)
    private let report: (any Error) -> Void
    private var job: Task<Int, any Error>?

    /// Creates the index, which reports the errors of single notes and of what it does by itself.
    init(_ notebook: Notebook, report: @escaping (any Error) -> Void) {
        (self.notebook, self.report) = (notebook, report)
        super.init()
        index.indexDelegate = self
    }

    // MARK: Single notes

    func save(_ note: Note) async throws {
        try await index.indexSearchableItems([note.entityItem])
    }

    func delete(_ name: String) async throws {
        try await index.deleteSearchableItems(withIdentifiers: [name])
    }

    /// Deletes the notes of a folder and of all folders below it.
    func delete(folder: String) async throws {
        try await index.deleteSearchableItems(withDomainIdentifiers: [Note.domain(ofFolder: folder)])
    }

    // MARK: The whole notebook

    /// Indexes the notes that have changed since the last batch, and returns their number.
    ///
    /// The index knows the last batch, also after the app was killed, and on another machine.
    func update() async throws -> Int {
        try await next { [self] in
            try await indexNotes(after: IndexPosition(index.fetchLastClientState()))
        }
    }

    /// Indexes every note, and returns their number.
    func updateAll() async throws -> Int {
        try await next { [self] in try await indexNotes(after: IndexPosition()) }
    }

    private func indexNotes(after position: IndexPosition) async throws -> Int {
        // A batch belongs to its index object, so that notes can be saved by another one meanwhile.
        let index = CSSearchableIndex(name: NoteIndex.name)
        var (position, count) = (position, 0)
        // Notes that change meanwhile come after the others.
        while case let entries = position.following(notebook.entries()), !entries.isEmpty {
            for start in stride(from: 0, to: entries.count, by: 100) {
                let batch = entries[start...].prefix(100)
                position = IndexPosition(batch[batch.endIndex - 1])
                index.beginBatch()
                try await index.indexSearchableItems(batch.compactMap { item(named: $0.name) })
                try await index.endBatch(withClientState: position.clientState)
                count += batch.count
            }
        }
        return count
    }

    /// Returns the item of a note, or nil if its file is gone or can't be read.
    private func item(named name: String) -> CSSearchableItem? {
        do {
            return try notebook.note(named: name)?.entityItem
        } catch {
            report(error)
            return nil
        }
    }

    /// Runs one job after the other, so that no two work on the same notes.
    private func next(_ work: @escaping @MainActor () async throws -> Int) async throws -> Int {
        let previous = job
        let job = Task {
            _ = await previous?.result
            return try await work()
        }
        self.job = job
        return try await job.value
    }
}

/// The index asks for items again when it has lost them.
extension NoteIndex: CSSearchableIndexDelegate {
    nonisolated func searchableIndex(
        _ searchableIndex: CSSearchableIndex,
        reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler:
            @escaping @Sendable () -> Void
    ) {
        reindex(acknowledgementHandler) { _ = try await $0.updateAll() }
    }

    nonisolated func searchableIndex(
        _ searchableIndex: CSSearchableIndex, reindexSearchableItemsWithIdentifiers identifiers: [String],
        acknowledgementHandler: @escaping @Sendable () -> Void
    ) {
        reindex(acknowledgementHandler) { notes in
            let items = identifiers.compactMap { notes.item(named: $0) }
            try await notes.index.indexSearchableItems(items)
        }
    }

    /// Acknowledges once the notes are in the index; otherwise the request comes again.
    private nonisolated func reindex(
        _ acknowledge: @escaping @Sendable () -> Void,
        _ work: @escaping @MainActor (NoteIndex) async throws -> Void
    ) {
        Task { @MainActor in
            do {
                try await work(self)
                acknowledge()
            } catch {
                report(error)
            }
        }
    }
}
