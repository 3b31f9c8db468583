import BatonCore
import BatonNetwork
import BatonStore

/// A lane that a thread may use, and what notes how far it has come; or why there is none.
///
/// Sendable although a lane is not: it is handed over, and who hands it over uses it no more.
struct LentLane: @unchecked Sendable {
    let store: Result<SQLiteLane, StoreFailure>

    /// Does jobs in the lane, those together that can be.
    func perform(_ jobs: [LaneJob], before witness: LaneWitness) {
        switch store {
        case .success(let lane): LaneGroup(lane: lane, witness: witness).perform(jobs)
        case .failure(let failure): for job in jobs { job.fail(failure) }
        }
    }

    /// Whether something was read there that is not what was written.
    var isDamaged: Bool {
        switch store {
        case .success(let lane): lane.isDamaged
        case .failure: false
        }
    }
}

/// Does jobs of one lane with as few commits as it can.
private struct LaneGroup {
    let lane: SQLiteLane
    let witness: LaneWitness

    func perform(_ jobs: [LaneJob]) {
        // What failed to be kept was noted, too.
        defer { witness.noteOrForget(lane) }
        if attempt(jobs) || jobs.count == 1 { return }
        // Each alone: what one job broke is not the fault of the others.
        for job in jobs { job.forget() }
        for job in jobs { _ = attempt([job]) }
    }

    /// Does jobs with one commit; false if nothing of them was kept.
    ///
    /// The witness takes note of them before they are kept: if the process ends in between, a life begins for nothing.
    /// The other way round, a backup of the moment before would be taken for the journal that was written last.
    private func attempt(_ jobs: [LaneJob]) -> Bool {
        do {
            try lane.group(durably: jobs.contains(where: \.isDurable)) { () throws(StoreFailure) in
                for job in jobs { job.perform(on: lane) }
                witness.noteOrForget(lane, isKept: false)
            }
            return true
        } catch {
            // Whatever single jobs were told before.
            for job in jobs { job.fail(error) }
            return false
        }
    }
}

/// What the thread of the activities does: what concerns its lane, and lending it.
///
/// It belongs to that thread.
final class ActivitiesThread {
    typealias Worker = WorkerThread<StoreEntry<StoreLoan>>

    private let witness: LaneWitness
    private let entrance: StoreQueues
    private let report: @Sendable (StoreReport) -> Void
    private var lane = LentLane(store: .failure(StoreHolder.notOpened))
    /// What is done and is told once damage was seen to.
    private var untold: [LaneJob] = []

    init(
        _ witness: LaneWitness, _ entrance: StoreQueues, _ report: @escaping @Sendable (StoreReport) -> Void
    ) { (self.witness, self.entrance, self.report) = (witness, entrance, report) }

    func handle(_ entries: [StoreEntry<StoreLoan>]) {
        for run in runs(of: entries) {
            if !run.jobs.isEmpty {
                lane.perform(run.jobs, before: witness)
                untold.tell(run.jobs, isDamaged: lane.isDamaged, to: entrance, report)
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

/// What the thread of the index does: what concerns its lane, and with the other one what concerns the whole account.
///
/// It belongs to that thread.
final class IndexThread {
    typealias Worker = WorkerThread<StoreEntry<Errand>>

    /// Something that concerns the whole account, with the other lane's loan if that was asked for before.
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
    /// What is done and is told once damage was seen to.
    private var untold: [LaneJob] = []

    init(
        _ holder: StoreHolder, _ witness: Witness, _ entrance: StoreQueues,
        borrowingFrom lender: ActivitiesThread.Worker, _ report: @escaping @Sendable (StoreReport) -> Void
    ) {
        (self.holder, self.witness, self.entrance, self.report) = (holder, witness, entrance, report)
        self.lender = lender
    }

    func handle(_ entries: [StoreEntry<Errand>]) {
        for run in runs(of: entries) {
            if !run.jobs.isEmpty {
                let lane = holder.lane(.index)
                lane.perform(run.jobs, before: witness.lane(.index))
                untold.tell(run.jobs, isDamaged: lane.isDamaged, to: entrance, report)
            }
            if let errand = run.alone { perform(errand.job, errand.loan ?? borrow()) }
        }
    }

    /// Asks for the other lane, which comes when all is done there that its thread was given before.
    private func borrow() -> StoreLoan {
        let loan = StoreLoan()
        lender.submit(.alone(loan))
        return loan
    }

    private func perform(_ job: AccountJob, _ loan: StoreLoan) {
        let waiting = untold + loan.take()
        untold = []
        job.perform(with: holder, before: witness)
        // Who hears of a failure knows by then what became of the store.
        holder.rescue(before: witness)
        if let opening = holder.takeOpening() { report(.opened(opening)) }
        // Before the other thread has its lane back, so that nothing later is told before.
        report(.done(waiting + [job]))
        loan.giveBack(holder.lane(.activities))
    }
}

extension [LaneJob] {
    /// Has jobs told that are done, or puts them behind those that are told later, because damage was found.
    fileprivate mutating func tell(
        _ jobs: [LaneJob], isDamaged: Bool, to entrance: StoreQueues,
        _ report: @Sendable (StoreReport) -> Void
    ) {
        self += jobs
        // The first finding asks for what sees to it; whatever comes to the whole account before does so, too.
        if isDamaged, count > jobs.count || entrance.enter(RescuingStoreJob()) { return }
        let done = self
        self = []
        report(.done(done))
    }
}

/// What a thread does one after the other: jobs of its lane together, and then what is done alone.
private func runs<Alone>(of entries: [StoreEntry<Alone>]) -> [(jobs: [LaneJob], alone: Alone?)] {
    var runs: [(jobs: [LaneJob], alone: Alone?)] = []
    var jobs: [LaneJob] = []
    for entry in entries {
        switch entry {
        case .lane(let job): jobs.append(job)
        case .alone(let next):
            runs.append((jobs, next))
            jobs = []
        }
    }
    if !jobs.isEmpty { runs.append((jobs, nil)) }
    return runs
}
