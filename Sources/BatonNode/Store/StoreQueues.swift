import BatonCore
import BatonNetwork
import Synchronization

/// An entry in the queue of one of the two store threads.
enum StoreEntry<Alone: Sendable>: Sendable {
    /// A job in the thread's own lane. It is performed together with other such jobs.
    case lane(LaneJob)
    /// An entry that is performed alone.
    case alone(Alone)
}

/// The queues of the two store threads.
///
/// Jobs on the whole account are queued for the thread of the index lane. This thread requests the activities lane only
/// when it reaches such a job. Therefore, activities wait only for that job, and not for the index jobs before it.
final class StoreQueues: Sendable {
    /// The store threads; nil before `open` and after `close`.
    private let workers = Mutex<(activities: ActivitiesThread.Worker, index: IndexThread.Worker)?>(nil)

    func open(_ activities: ActivitiesThread.Worker, _ index: IndexThread.Worker) {
        workers.withLock { $0 = (activities, index) }
    }

    /// Queues a job for the thread of a lane.
    ///
    /// After `close`, the job is dropped.
    ///
    /// If `isPatient` is true, which is only for jobs that read, the job is performed alone. The thread then alternates
    /// between patient jobs and groups of other jobs.
    func enter(_ job: LaneJob, to lane: Lane, isPatient: Bool = false) {
        workers.withLock { workers in
            _ =
                lane == .activities
                ? workers?.activities.submit(.lane(job), isPatient: isPatient)
                : workers?.index.submit(.lane(job), isPatient: isPatient)
        }
    }

    /// Queues a job on the whole account.
    ///
    /// After `close`, the job is dropped, and this returns false.
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

    /// Stops accepting jobs.
    ///
    /// Returns when all jobs are done and the threads have ended.
    func close() {
        let ended = workers.withLock { workers in
            defer { workers = nil }
            return workers
        }
        // The thread of the index lane ends first, because it may request the activities lane until it ends.
        ended?.index.finish()
        ended?.activities.finish()
    }
}

/// The loan of the activities lane for one job on the whole account.
///
/// Lanes are lent in one direction only. Therefore, the two threads never wait for each other.
final class StoreLoan: Sendable {
    private let lent = Handover<[LaneJob]>()
    private let back = Handover<LentLane>()

    /// Lends the lane, and waits for the lane to use afterwards.
    ///
    /// That lane may be another one. `untold` are jobs that are done and not reported. The borrower reports them when
    /// it is known what happens to the store.
    func lend(untold: [LaneJob]) -> LentLane {
        lent.leave(untold)
        return back.take()
    }

    /// Waits for the lane.
    ///
    /// Returns the jobs that the lending thread has not reported.
    func take() -> [LaneJob] { lent.take() }

    /// Gives the lane back to the lending thread, or gives back a lane that replaces it.
    func giveBack(_ lane: LentLane) { back.leave(lane) }
}
