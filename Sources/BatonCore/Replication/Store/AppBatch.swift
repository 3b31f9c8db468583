/// A batch of an app that has not ended yet.
///
/// Its latest drafts are in memory, and its earlier drafts are in the store.
package struct AppBatch: BegunBatch {
    package let index: ClientStateName
    /// The identifier of the batch in the store.
    package let identifier: BatchIdentifier
    /// The drafts that are not staged.
    package private(set) var drafts: [Journal.Draft] = []
    private var bytes = 0
    /// The number of staged drafts.
    package private(set) var stagedCount = 0
    private var clearCount = 0
    /// The reason why the batch can't be completed any more; nil if it can be completed.
    package var failure: LocalFailure?

    package init(_ index: ClientStateName, _ identifier: BatchIdentifier) {
        (self.index, self.identifier) = (index, identifier)
    }

    /// The maximum size of the drafts in memory, in bytes.
    ///
    /// When it is exceeded, the drafts are staged in the store.
    private static let bytesInMemory = 64 << 10

    /// Appends drafts; returns the drafts that must be staged now.
    package mutating func append(_ others: [Journal.Draft]) throws(LocalFailure) -> [Journal.Draft] {
        let clearCount = clearCount + others.count { $0.key.kind.isClear }
        guard clearCount <= Limits.batchClears else {
            throw LocalFailure(
                .tooLarge,
                "A batch may clear at most \(Limits.batchClears) domains. End it, and continue with another one."
            )
        }
        guard count + others.count <= Limits.batchDrafts else {
            throw LocalFailure(
                .tooLarge,
                "A batch may have at most \(Limits.batchDrafts) changes. End it, and continue with another one."
            )
        }
        drafts += others
        self.clearCount = clearCount
        for draft in others { bytes += draft.byteCount }
        guard bytes > Self.bytesInMemory else { return [] }
        return takeDrafts()
    }

    /// Removes all drafts from memory and returns them, to be staged.
    package mutating func takeDrafts() -> [Journal.Draft] {
        defer { (drafts, bytes) = ([], 0) }
        stagedCount += drafts.count
        return drafts
    }

    /// Whether a part of the batch is in the store.
    package var isStaged: Bool { stagedCount > 0 }

    /// The number of the batch's changes.
    package var count: Int { stagedCount + drafts.count }
}
