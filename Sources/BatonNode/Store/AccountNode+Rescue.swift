import BatonCore
import BatonStore

/// Handles a store that was found to be damaged, or that can be written again.
extension AccountNode {
    /// The store was opened anew while the node ran: what was claimed of a rescued lane is not any more.
    func handle(_ opening: StoreOpening) {
        guard !opening.rescues.isEmpty || opening.wasReadOnly else { return }
        note(opening.rescues)
        if opening.wasReadOnly { storeTroubles?.note(nil) }
        drive { $0.handleReopening(knowing: opening.reports, in: self) }
        reindexing.take(opening.reindex)
    }

    /// Takes note of what was rescued.
    func note(_ rescues: [LaneRescue]) {
        storeTroubles?.note(rescues)
        for rescue in rescues { log.warn("trouble: \(StoreTroubles.text(rescue)) (\(rescue.cause))") }
    }
}
