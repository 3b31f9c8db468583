import BatonCore
import BatonNetwork
import Synchronization

/// What waits for one of the two threads.
enum StoreEntry<Alone: Sendable>: Sendable {
    /// Something to be done in the lane of the thread, together with what else there is of that.
    case lane(LaneJob)
    /// Something that is done alone.
    case alone(Alone)
}

/// Where what is to be done is left for the two threads.
///
/// What concerns the whole account comes to the thread of the index. That asks for the lane of the activities when it is
/// at it, so that these wait for what is done with the account, and not for what the index is at before.
final class StoreQueues: Sendable {
    /// The threads; none before they began, and after they were told to end.
    private let workers = Mutex<(activities: ActivitiesThread.Worker, index: IndexThread.Worker)?>(nil)

    func open(_ activities: ActivitiesThread.Worker, _ index: IndexThread.Worker) {
        workers.withLock { $0 = (activities, index) }
    }

    /// Leaves something for the thread of a lane; what comes after the end is dropped.
    ///
    /// A job that only reads may be patient: it is done by itself, behind all that is pending then.
    func enter(_ job: LaneJob, to lane: Lane, isPatient: Bool = false) {
        workers.withLock { workers in
            _ =
                lane == .activities
                ? workers?.activities.submit(.lane(job), isPatient: isPatient)
                : workers?.index.submit(.lane(job), isPatient: isPatient)
        }
    }

    /// Leaves something that concerns the whole account; false if that comes after the end and is dropped.
    @discardableResult func enter(_ job: AccountJob) -> Bool {
        workers.withLock { workers in
            guard let workers else { return false }
            var loan: StoreLoan?
            if job.holdsActivities {
                let asked = StoreLoan()
                workers.activities.submit(.alone(asked))
                loan = asked
            }
            return workers.index.submit(.alone(IndexThread.Errand(job: job, loan: loan)))
        }
    }

    /// Takes nothing more, and returns when all is done and the threads have ended.
    func close() {
        let ended = workers.withLock { workers in
            defer { workers = nil }
            return workers
        }
        // Until it has ended, the thread of the index may ask that of the activities for its lane.
        ended?.index.finish()
        ended?.activities.finish()
    }
}

/// The activities' lane, lent for one job that concerns the whole account.
///
/// There is one direction of lending: so neither thread waits for the other while that one waits for it.
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
