import BatonCore

/// A batch of an app that has not ended: what came last in memory, what came before with the store.
struct AppBatch {
    let index: ClientStateName
    /// What the store calls it.
    let identifier: BatchIdentifier
    /// Drafts that are not staged.
    private(set) var drafts: [Journal.Draft] = []
    private var bytes = 0
    /// How many are.
    private(set) var stagedCount = 0
    private var clearCount = 0
    /// Why it can't end any more.
    var failure: LocalFailure?

    init(_ index: ClientStateName, _ identifier: BatchIdentifier) {
        (self.index, self.identifier) = (index, identifier)
    }

    /// How many bytes of drafts are held in memory; what is beyond goes to the store.
    private static let bytesInMemory = 64 << 10

    /// Puts drafts behind the others; answers with those that are to be staged now.
    mutating func append(_ others: [Journal.Draft]) throws(LocalFailure) -> [Journal.Draft] {
        clearCount += others.count { $0.key.kind.isClear }
        guard clearCount <= Limits.batchClears else {
            throw LocalFailure(
                .tooLarge,
                "One batch may clear \(Limits.batchClears) domains. End it, and go on with another one.")
        }
        guard count + others.count <= Limits.batchDrafts else {
            throw LocalFailure(
                .tooLarge,
                "One batch may have \(Limits.batchDrafts) changes. End it, and go on with another one."
            )
        }
        drafts += others
        for draft in others { bytes += draft.byteCount }
        guard bytes > Self.bytesInMemory else { return [] }
        return takeDrafts()
    }

    /// All drafts that are in memory, to be staged.
    mutating func takeDrafts() -> [Journal.Draft] {
        defer { (drafts, bytes) = ([], 0) }
        stagedCount += drafts.count
        return drafts
    }

    /// Whether some of it is with the store.
    var isStaged: Bool { stagedCount > 0 }

    private var count: Int { stagedCount + drafts.count }
}
