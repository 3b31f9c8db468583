import BatonCore
import BatonNetwork
import Synchronization

/// An entry in the queue of one of the two threads.
enum StoreEntry<Alone: Sendable>: Sendable {
    /// A job in the lane of the thread, performed together with other such jobs.
    case lane(LaneJob)
    /// An entry that is performed alone.
    case alone(Alone)
}

/// The queues of the two store threads.
///
/// Jobs on the whole account go to the thread of the index. It requests the activities lane when it reaches the job, so
/// that activities wait for that job only, and not for the index jobs before it.
final class StoreQueues: Sendable {
    /// The threads; nil before `open` and after `close`.
    private let workers = Mutex<(activities: ActivitiesThread.Worker, index: IndexThread.Worker)?>(nil)

    func open(_ activities: ActivitiesThread.Worker, _ index: IndexThread.Worker) {
        workers.withLock { $0 = (activities, index) }
    }

    /// Queues a job for the thread of a lane; a job that comes after `close` is dropped.
    ///
    /// A job that only reads may be patient: it is performed alone, in turn with groups of the other jobs.
    func enter(_ job: LaneJob, to lane: Lane, isPatient: Bool = false) {
        workers.withLock { workers in
            _ =
                lane == .activities
                ? workers?.activities.submit(.lane(job), isPatient: isPatient)
                : workers?.index.submit(.lane(job), isPatient: isPatient)
        }
    }

    /// Queues a job on the whole account; returns false if it comes after `close` and is dropped.
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

    /// Accepts no more jobs, and returns when all are done and the threads have ended.
    func close() {
        let ended = workers.withLock { workers in
            defer { workers = nil }
            return workers
        }
        // The thread of the index ends first, because until then it may request the lane of the activities thread.
        ended?.index.finish()
        ended?.activities.finish()
    }
}

/// The activities lane, lent for one job on the whole account.
///
/// Lanes are lent in one direction only, so the two threads never wait for each other.
final class StoreLoan: Sendable {
    private let lent = Handover<[LaneJob]>()
    private let back = Handover<LentLane>()

    /// Lends the lane, and waits for the lane to use afterwards, which may be another one.
    ///
    /// Passes on the jobs that are done but not reported: they are reported once it is known what happens to the store.
    func lend(untold: [LaneJob]) -> LentLane {
        lent.leave(untold)
        return back.take()
    }

    /// Waits for the lane; returns the jobs that its thread has not reported.
    func take() -> [LaneJob] { lent.take() }

    /// Gives back a lane: the same one, or one that replaces it.
    func giveBack(_ lane: LentLane) { back.leave(lane) }
}
