import BatonCore
import BatonStore

/// Handles a store that was found to be damaged, or that can be written again.
extension AccountNode {
    /// Handles a store that was opened again while the node ran: claims about a rescued lane are withdrawn.
    func handle(_ opening: StoreOpening) {
        guard !opening.rescues.isEmpty || opening.wasReadOnly else { return }
        note(opening.rescues)
        if opening.wasReadOnly { storeTroubles?.note(nil) }
        drive { $0.handleReopening(knowing: opening.reports, in: self) }
        reindexing.take(opening.reindex)
    }

    /// Notes rescues of lanes, for the log and the status.
    func note(_ rescues: [LaneRescue]) {
        storeTroubles?.note(rescues)
        for rescue in rescues { log.warn("trouble: \(StoreTroubles.text(rescue)) (\(rescue.cause))") }
    }
}
