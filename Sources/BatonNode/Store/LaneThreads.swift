import BatonCore
import BatonNetwork
import BatonStore

/// A lane that a thread may use, or the reason why the lane can't be used.
///
/// The struct is Sendable although a lane is not. The thread that passes the lane on does not use it any more.
struct LentLane: @unchecked Sendable {
    let store: Result<SQLiteLane, StoreFailure>

    /// Performs jobs in the lane, if possible in one transaction.
    func perform(_ jobs: [LaneJob], before witness: LaneWitness) {
        switch store {
        case .success(let lane): LaneGroup(lane: lane, witness: witness).perform(jobs)
        case .failure(let failure): for job in jobs { job.fail(failure) }
        }
    }

    /// Whether a large part of the lane is in memory.
    var holdsMuch: Bool {
        switch store {
        case .success(let lane): lane.holdsMuch
        case .failure: false
        }
    }

    /// Whether a read of the lane returned other bytes than the bytes that were written.
    var isDamaged: Bool {
        switch store {
        case .success(let lane): lane.isDamaged
        case .failure: false
        }
    }
}

/// Remembers whether it was reported that a large part of a lane is in memory.
private struct GrowthReport {
    private var isTold = false

    /// Reports that a large part of the lane is in memory.
    ///
    /// This is reported once, and again only after that memory was released.
    mutating func tell(of lane: LentLane, _ report: @Sendable (StoreReport) -> Void) {
        let isGrown = lane.holdsMuch
        if isGrown, !isTold { report(.grown) }
        isTold = isGrown
    }
}

/// Performs jobs in one lane with as few commits as possible.
private struct LaneGroup {
    let lane: SQLiteLane
    let witness: LaneWitness

    func perform(_ jobs: [LaneJob]) {
        // This is also done after a failure, because the witness noted the jobs before they were stored.
        defer { witness.noteOrForget(lane) }
        if attempt(jobs) || jobs.count == 1 { return }
        // Each job gets a transaction of its own. Then the failure of one job does not affect the others.
        for job in jobs { job.forget() }
        for job in jobs { _ = attempt([job]) }
    }

    /// Performs jobs with one commit.
    ///
    /// Returns false if none of the jobs was stored.
    ///
    /// The witness notes the jobs before they are stored. If the process ends between the two steps, the cost is only a
    /// new life. In the opposite order, a backup that was made before this commit would look like the latest state of
    /// the journal.
    private func attempt(_ jobs: [LaneJob]) -> Bool {
        do {
            try lane.group(durably: jobs.contains(where: \.isDurable)) { () throws(StoreFailure) in
                for job in jobs { job.perform(on: lane) }
                witness.noteOrForget(lane, isKept: false)
            }
            return true
        } catch {
            // Jobs that had succeeded before the commit failed get this failure, too.
            for job in jobs { job.fail(error) }
            return false
        }
    }
}

/// The thread of the activities lane, which performs the jobs of the lane, and lends the lane to the other thread.
///
/// The object belongs to the thread of the activities lane.
final class ActivitiesThread {
    typealias Worker = WorkerThread<StoreEntry<StoreLoan>>

    private let witness: LaneWitness
    private let entrance: StoreQueues
    private let report: @Sendable (StoreReport) -> Void
    private var lane = LentLane(store: .failure(StoreHolder.notOpened))
    /// Jobs that are done, and that are reported only after the damage that was found has been repaired.
    private var untold: [LaneJob] = []
    private var growth = GrowthReport()

    init(
        _ witness: LaneWitness, _ entrance: StoreQueues, _ report: @escaping @Sendable (StoreReport) -> Void
    ) { (self.witness, self.entrance, self.report) = (witness, entrance, report) }

    func handleEntries(_ entries: [StoreEntry<StoreLoan>]) {
        for run in runs(of: entries) {
            if !run.jobs.isEmpty {
                lane.perform(run.jobs, before: witness)
                untold.tell(run.jobs, isDamaged: lane.isDamaged, to: entrance, report)
                growth.tell(of: lane, report)
            }
            if let loan = run.alone {
                let waiting = untold
                untold = []
                lane = LentLane(store: .failure(StoreHolder.notOpened))
                lane = loan.lend(untold: waiting)
            }
        }
    }
}

/// The thread of the index lane, which performs the jobs of the lane.
///
/// It also performs the jobs on the whole account. For these, it borrows the activities lane.
///
/// The object belongs to the thread of the index lane.
final class IndexThread {
    typealias Worker = WorkerThread<StoreEntry<Errand>>

    /// A job on the whole account.
    ///
    /// `loan` is the loan of the activities lane if it was requested in advance; nil otherwise.
    struct Errand: Sendable {
        let job: AccountJob
        let loan: StoreLoan?
    }

    private let holder: StoreHolder
    private let witness: Witness
    private let entrance: StoreQueues
    private let report: @Sendable (StoreReport) -> Void
    /// The thread that lends the activities lane.
    private let lender: ActivitiesThread.Worker
    /// Jobs that are done, and that are reported only after the damage that was found has been repaired.
    private var untold: [LaneJob] = []
    private var growth = GrowthReport()

    init(
        _ holder: StoreHolder, _ witness: Witness, _ entrance: StoreQueues,
        borrowingFrom lender: ActivitiesThread.Worker, _ report: @escaping @Sendable (StoreReport) -> Void
    ) {
        self.holder = holder
        self.witness = witness
        self.entrance = entrance
        self.report = report
        self.lender = lender
    }

    func handleEntries(_ entries: [StoreEntry<Errand>]) {
        for run in runs(of: entries) {
            if !run.jobs.isEmpty {
                let lane = holder.lane(.index)
                lane.perform(run.jobs, before: witness.lane(.index))
                // A job may have read the file of the other lane, too, and may have found damage there.
                let others = run.jobs.compactMap(\.damage).filter { $0.damage?.lane != .index }
                for failure in others { holder.recordFailure(failure) }
                untold.tell(run.jobs, isDamaged: lane.isDamaged || !others.isEmpty, to: entrance, report)
                growth.tell(of: lane, report)
            }
            if let errand = run.alone { perform(errand.job, errand.loan ?? borrow()) }
        }
    }

    /// Requests the activities lane.
    ///
    /// Its thread lends the lane after it has performed all jobs that were submitted earlier.
    private func borrow() -> StoreLoan {
        let loan = StoreLoan()
        lender.submit(.alone(loan))
        return loan
    }

    private func perform(_ job: AccountJob, _ loan: StoreLoan) {
        let waiting = untold + loan.take()
        untold = []
        job.perform(with: holder, before: witness)
        // The rescue comes before the reports. A caller that gets a failure must know what happened to the store.
        holder.rescue(before: witness)
        if let opening = holder.takeOpening() { report(.opened(opening)) }
        // This job is reported before the other thread gets its lane back. Otherwise, a later job could be reported
        // before this one.
        report(.done(waiting + [job]))
        loan.giveBack(holder.lane(.activities))
    }
}

extension [LaneJob] {
    /// Reports jobs that are done.
    ///
    /// If damage was found, the jobs are added to those that are reported after the rescue.
    fileprivate mutating func tell(
        _ jobs: [LaneJob], isDamaged: Bool, to entrance: StoreQueues,
        _ report: @Sendable (StoreReport) -> Void
    ) {
        for job in jobs { job.finish() }
        self += jobs
        // The first damage that is found queues a rescue. If a job on the whole account is queued already, it rescues
        // the lane, too.
        if isDamaged, count > jobs.count || entrance.enter(RescuingStoreJob()) { return }
        let done = self
        self = []
        report(.done(done))
    }
}

/// The largest number of bytes that jobs write together in one transaction.
///
/// The transaction keeps its changes in memory until its end.
private let groupWeight = 512 << 10

/// Divides the entries of a thread's queue into the steps that the thread performs one after the other.
///
/// In each step, jobs of the thread's lane are performed together, and then an entry is performed alone.
private func runs<Alone>(of entries: [StoreEntry<Alone>]) -> [(jobs: [LaneJob], alone: Alone?)] {
    var runs: [(jobs: [LaneJob], alone: Alone?)] = []
    var (jobs, weight): ([LaneJob], Int) = ([], 0)
    for entry in entries {
        switch entry {
        case .lane(let job):
            if weight + job.weight > groupWeight, !jobs.isEmpty {
                runs.append((jobs, nil))
                (jobs, weight) = ([], 0)
            }
            jobs.append(job)
            weight += job.weight
        case .alone(let next):
            runs.append((jobs, next))
            (jobs, weight) = ([], 0)
        }
    }
    if !jobs.isEmpty { runs.append((jobs, nil)) }
    return runs
}
