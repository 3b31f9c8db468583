import BatonCore
import BatonNetwork
import Synchronization

/// What waits for one of the two threads.
enum StoreEntry: Sendable {
    /// Something to be done in the lane of the thread.
    case lane(LaneJob)
    /// Something for which the thread of the activities lends its lane to that of the index.
    case account(AccountJob, StoreLoan)
}

/// Where what is to be done is left for the two threads: what concerns both of them comes to both in one order.
final class StoreEntrance: Sendable {
    private typealias Worker = WorkerThread<StoreEntry>
    /// The threads; none before they began, and after they were told to end.
    private let workers = Mutex<(activities: Worker, index: Worker)?>(nil)

    func open(_ activities: WorkerThread<StoreEntry>, _ index: WorkerThread<StoreEntry>) {
        workers.withLock { $0 = (activities, index) }
    }

    /// Leaves something for the thread of a lane; what comes after the end is dropped.
    func enter(_ job: LaneJob, to lane: Lane) {
        workers.withLock { workers in
            _ = (lane == .activities ? workers?.activities : workers?.index)?.submit(.lane(job))
        }
    }

    /// Leaves something for which both lanes wait; false if that comes after the end and is dropped.
    @discardableResult func enter(_ job: AccountJob) -> Bool {
        workers.withLock { workers in
            guard let workers else { return false }
            let loan = StoreLoan()
            workers.activities.submit(.account(job, loan))
            workers.index.submit(.account(job, loan))
            return true
        }
    }

    /// Takes nothing more, and returns when all is done and the threads have ended.
    func close() {
        let ended = workers.withLock { workers in
            defer { workers = nil }
            return workers
        }
        // Neither waits for the other but within a loan, of which both have their ends by now.
        ended?.activities.finish()
        ended?.index.finish()
    }
}

/// The activities' lane, lent for one job that concerns the whole account.
///
/// There is one direction of lending, and the loans come to both threads in one order: so neither waits for the other
/// while that one waits for it.
final class StoreLoan: Sendable {
    private let lent = Handover<[LaneJob]>()
    private let back = Handover<LentLane>()

    /// Lends the lane, which nobody uses here any more, and waits for the one to be used from then on.
    ///
    /// With it goes what is done and was not told, because who hears of it is to know first what becomes of the store.
    func lend(untold: [LaneJob]) -> LentLane {
        lent.leave(untold)
        return back.take()
    }

    /// Waits for the lane; answers with what the one who lends it has not told.
    func take() -> [LaneJob] { lent.take() }

    /// Gives a lane back.
    func giveBack(_ lane: LentLane) { back.leave(lane) }
}
