import BatonCore
import BatonNetwork
import BatonStore

/// A lane that a thread may use, or the reason why there is none.
///
/// Sendable although a lane is not: it is handed over, and the thread that handed it over no longer uses it.
struct LentLane: @unchecked Sendable {
    let store: Result<SQLiteLane, StoreFailure>

    /// Performs jobs in the lane, in one transaction where possible.
    func perform(_ jobs: [LaneJob], before witness: LaneWitness) {
        switch store {
        case .success(let lane): LaneGroup(lane: lane, witness: witness).perform(jobs)
        case .failure(let failure): for job in jobs { job.fail(failure) }
        }
    }

    /// Whether much of the lane is in memory.
    var holdsMuch: Bool {
        switch store {
        case .success(let lane): lane.holdsMuch
        case .failure: false
        }
    }

    /// Whether a read of the lane returned other bytes than were written.
    var isDamaged: Bool {
        switch store {
        case .success(let lane): lane.isDamaged
        case .failure: false
        }
    }
}

/// Whether it was reported that much of a lane is in memory.
private struct GrowthReport {
    private var isTold = false

    /// Reports once that much of the lane is in memory, until that memory is released.
    mutating func tell(of lane: LentLane, _ report: @Sendable (StoreReport) -> Void) {
        let isGrown = lane.holdsMuch
        if isGrown, !isTold { report(.grown) }
        isTold = isGrown
    }
}

/// Performs jobs of one lane with as few commits as it can.
private struct LaneGroup {
    let lane: SQLiteLane
    let witness: LaneWitness

    func perform(_ jobs: [LaneJob]) {
        // This is done after a failure, too, because the witness noted the jobs before they were stored.
        defer { witness.noteOrForget(lane) }
        if attempt(jobs) || jobs.count == 1 { return }
        // Each job gets a transaction of its own, so that the failure of one does not affect the others.
        for job in jobs { job.forget() }
        for job in jobs { _ = attempt([job]) }
    }

    /// Performs jobs with one commit; returns false if none of them was stored.
    ///
    /// The witness notes the jobs before they are stored: if the process ends in between, the cost is a new life. In
    /// the other order, a backup from the moment before would pass for the latest state of the journal.
    private func attempt(_ jobs: [LaneJob]) -> Bool {
        do {
            try lane.group(durably: jobs.contains(where: \.isDurable)) { () throws(StoreFailure) in
                for job in jobs { job.perform(on: lane) }
                witness.noteOrForget(lane, isKept: false)
            }
            return true
        } catch {
            // This also replaces the results of jobs that had succeeded before the commit failed.
            for job in jobs { job.fail(error) }
            return false
        }
    }
}

/// The thread of the activities lane: performs the jobs of its lane, and lends the lane.
///
/// The object belongs to that thread.
final class ActivitiesThread {
    typealias Worker = WorkerThread<StoreEntry<StoreLoan>>

    private let witness: LaneWitness
    private let entrance: StoreQueues
    private let report: @Sendable (StoreReport) -> Void
    private var lane = LentLane(store: .failure(StoreHolder.notOpened))
    /// Finished jobs that are reported only after the rescue from damage that was found.
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

/// The thread of the index lane: performs the jobs of its lane and, with the activities lane on loan, those of the
/// whole account.
///
/// The object belongs to that thread.
final class IndexThread {
    typealias Worker = WorkerThread<StoreEntry<Errand>>

    /// A job on the whole account, with the loan of the other lane if it was requested in advance.
    struct Errand: Sendable {
        let job: AccountJob
        let loan: StoreLoan?
    }

    private let holder: StoreHolder
    private let witness: Witness
    private let entrance: StoreQueues
    private let report: @Sendable (StoreReport) -> Void
    /// The thread that lends the other lane.
    private let lender: ActivitiesThread.Worker
    /// Finished jobs that are reported only after the rescue from damage that was found.
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
                // A job may have read the other lane's file, too.
                let others = run.jobs.compactMap(\.damage).filter { $0.damage?.lane != .index }
                for failure in others { holder.recordFailure(failure) }
                untold.tell(run.jobs, isDamaged: lane.isDamaged || !others.isEmpty, to: entrance, report)
                growth.tell(of: lane, report)
            }
            if let errand = run.alone { perform(errand.job, errand.loan ?? borrow()) }
        }
    }

    /// Requests the activities lane; its thread lends the lane after all jobs that were submitted earlier.
    private func borrow() -> StoreLoan {
        let loan = StoreLoan()
        lender.submit(.alone(loan))
        return loan
    }

    private func perform(_ job: AccountJob, _ loan: StoreLoan) {
        let waiting = untold + loan.take()
        untold = []
        job.perform(with: holder, before: witness)
        // The rescue comes before the reports: a caller that gets a failure must know what happened to the store.
        holder.rescue(before: witness)
        if let opening = holder.takeOpening() { report(.opened(opening)) }
        // This comes before the other thread gets its lane back, so that no later job is reported before this one.
        report(.done(waiting + [job]))
        loan.giveBack(holder.lane(.activities))
    }
}

extension [LaneJob] {
    /// Reports finished jobs, or adds them to those that are reported after the rescue, because damage was found.
    fileprivate mutating func tell(
        _ jobs: [LaneJob], isDamaged: Bool, to entrance: StoreQueues,
        _ report: @Sendable (StoreReport) -> Void
    ) {
        for job in jobs { job.finish() }
        self += jobs
        // The first damage that is found queues a rescue; any job on the whole account that is queued earlier rescues,
        // too.
        if isDamaged, count > jobs.count || entrance.enter(RescuingStoreJob()) { return }
        let done = self
        self = []
        report(.done(done))
    }
}

/// The most bytes that jobs write together in one transaction, which keeps what it changes in memory until its end.
private let groupWeight = 512 << 10

/// Divides the entries of a thread into the steps that it performs in turn: jobs of its lane together, then an entry
/// that is performed alone.
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
