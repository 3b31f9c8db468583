import BatonCore
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
    private let witness: LaneWitness
    private let entrance: StoreEntrance
    private let report: @Sendable (StoreReport) -> Void
    private var lane = LentLane(store: .failure(StoreHolder.notOpened))
    /// What is done and is told once damage was seen to.
    private var untold: [LaneJob] = []

    init(
        _ witness: LaneWitness, _ entrance: StoreEntrance, _ report: @escaping @Sendable (StoreReport) -> Void
    ) { (self.witness, self.entrance, self.report) = (witness, entrance, report) }

    func handle(_ entries: [StoreEntry]) {
        for run in entries.runs {
            if !run.jobs.isEmpty {
                lane.perform(run.jobs, before: witness)
                untold.tell(run.jobs, isDamaged: lane.isDamaged, to: entrance, report)
            }
            if let (_, loan) = run.account {
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
    private let holder: StoreHolder
    private let witness: Witness
    private let entrance: StoreEntrance
    private let report: @Sendable (StoreReport) -> Void
    /// What is done and is told once damage was seen to.
    private var untold: [LaneJob] = []

    init(
        _ holder: StoreHolder, _ witness: Witness, _ entrance: StoreEntrance,
        _ report: @escaping @Sendable (StoreReport) -> Void
    ) { (self.holder, self.witness, self.entrance, self.report) = (holder, witness, entrance, report) }

    func handle(_ entries: [StoreEntry]) {
        for run in entries.runs {
            if !run.jobs.isEmpty {
                let lane = holder.lane(.index)
                lane.perform(run.jobs, before: witness.lane(.index))
                untold.tell(run.jobs, isDamaged: lane.isDamaged, to: entrance, report)
            }
            if let (job, loan) = run.account { perform(job, loan) }
        }
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
        _ jobs: [LaneJob], isDamaged: Bool, to entrance: StoreEntrance,
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

extension [StoreEntry] {
    /// What a thread does one after the other: jobs of its lane together, and then what concerns the whole account.
    fileprivate var runs: [(jobs: [LaneJob], account: (AccountJob, StoreLoan)?)] {
        var runs: [(jobs: [LaneJob], account: (AccountJob, StoreLoan)?)] = []
        var jobs: [LaneJob] = []
        for entry in self {
            switch entry {
            case .lane(let job): jobs.append(job)
            case .account(let job, let loan):
                runs.append((jobs, (job, loan)))
                jobs = []
            }
        }
        if !jobs.isEmpty { runs.append((jobs, nil)) }
        return runs
    }
}
