package import BatonCore
package import BatonNetwork
package import BatonStore

/// The two threads that perform the jobs of an account's store.
///
/// The event loop never waits for a disk, and an activity never waits for the index.
///
/// Each lane has a thread, which performs the jobs in that lane. Jobs that are submitted while the thread is busy are
/// performed together, with one commit of the lane. A job on the whole account is performed alone, by the thread of the
/// index lane. When this thread reaches the job, the activities thread lends its lane, and waits until it gets the lane
/// back (`StoreLoan`). Therefore, no lock is needed. An activity waits for jobs on the whole account, but never for the
/// index jobs before them.
///
/// In each lane, jobs are performed in the order in which they were submitted. A job on the whole account is performed
/// after all jobs that were submitted before it. Index jobs that are submitted later are performed after it. Activity
/// jobs that are submitted later may be performed before it.
///
/// Results are reported in the order of execution, once the changes that they describe are stored. For jobs in one
/// lane, this is the order in that lane. For jobs on the whole account, it is the order in both lanes. Results about
/// different lanes may be reported in any order.
///
/// Jobs that are submitted in a turn of the event loop reach the threads together, at the end of that turn. At that
/// time, the turn's messages to other devices have been sent already. Otherwise, those devices would have to wait until
/// the work for the disk leaves a processor free. A job that may wait does so until another job is submitted, or for
/// some milliseconds.
///
/// The object belongs to the thread that submits jobs. If there is a loop, this is the loop's thread.
package final class StoreThreads {
    private let entrance: StoreQueues
    let witness: Witness
    /// The gate through which searches of the store pass.
    let readers = ReaderGate()
    /// Releases the objects that the loop holds for the store.
    private let release: () -> Void
    /// Observes the opening and the rescue of the store.
    private let watch: RescueWatch
    /// Calls a closure at the end of the loop's turn; nil if there is no loop.
    private let afterTurn: ((@escaping () -> Void) -> Void)?
    /// The jobs that were submitted and have not reached the threads yet, oldest first.
    private var submitted: [Submission] = []
    /// Whether the submitted jobs reach the threads at the end of this turn.
    private var isEntering = false
    /// The timer for submitted jobs that may all wait, and the longest time that they wait; nil if there is no loop.
    private let gathering: (timer: OwnedTimer, time: Duration)?
    /// Releases memory when the databases are idle; nil if there is no loop.
    private var rest: StoreRest?
    /// Whether the store was told to close.
    private var isClosing = false

    private enum Submission {
        case lane(LaneJob, Lane, isPatient: Bool)
        case account(AccountJob)
    }

    /// Opens the store in a folder.
    ///
    /// `report` is called on either thread, with reports in their order. It must pass them on
    /// (`StoreReport.tell(opened:)`).
    package init(
        folder: String, account: AccountIdentifier, witness: Witness, logBytes: Int = Limits().logBytes,
        rescueInterval: Duration = .seconds(1), report: @escaping @Sendable (StoreReport) -> Void,
        release: @escaping () -> Void = {}, gathering: (timer: OwnedTimer, time: Duration)? = nil,
        afterTurn: ((@escaping () -> Void) -> Void)? = nil
    ) throws(NetworkError) {
        (self.witness, self.release) = (witness, release)
        (self.gathering, self.afterTurn) = (gathering, afterTurn)
        let entrance = StoreQueues()
        self.entrance = entrance
        let watch = RescueWatch(every: rescueInterval) { report(.rescuing($0)) }
        self.watch = watch
        let activities = try ActivitiesThread.Worker(name: "baton-activity") {
            let thread = ActivitiesThread(witness.lane(.activities), entrance, report)
            return { thread.handleEntries($0) }
        }
        let index = try IndexThread.Worker(name: "baton-index") { [readers] in
            let holder = StoreHolder(
                folder: folder, account: account, device: witness.device, watch: watch, readers: readers,
                logBytes: logBytes)
            let thread = IndexThread(holder, witness, entrance, borrowingFrom: activities, report)
            return { thread.handleEntries($0) }
        }
        entrance.open(activities, index)
        entrance.enter(OpeningStoreJob())
    }

    /// Opens the store for an event loop.
    ///
    /// `opened` is called on the loop with the outcome, before the result of any job. It is called again whenever the
    /// store is opened again because damage was found.
    convenience init(
        folder: String, account: AccountIdentifier, witness: Witness, logBytes: Int, claimTime: Duration,
        on loop: EventLoop,
        restPause: Duration, opened: @escaping (Result<StoreOpening, StoreFailure>) -> Void,
        rescuing: @escaping (RescueProgress) -> Void
    ) throws(NetworkError) {
        // The closure for growth uses the store, which does not exist yet.
        var grown: () -> Void = {}
        let answers: Mailbox<StoreReport> = try loop.mailbox {
            $0.tell(opened: opened, rescuing: rescuing, grown: grown)
        }
        try self.init(
            folder: folder, account: account, witness: witness, logBytes: logBytes,
            report: { answers.post($0) }, release: { loop.remove(answers) },
            gathering: (OwnedTimer(on: loop), claimTime), afterTurn: { loop.afterTurn($0) })
        rest = StoreRest(on: loop, after: restPause) { [unowned self] in releaseMemory() }
        grown = { [weak self] in self?.rest?.handleGrowth() }
    }

    deinit { finish() }

    // MARK: Commands

    /// Performs a job in one lane.
    ///
    /// `then` gets the result.
    ///
    /// If a job fails, no later job of the same line is performed in that lane. Once the result of a durable job is
    /// reported, the job and everything that was stored in the lane before it survive a power failure. A job that may
    /// wait is stored together with the next job, if that is submitted soon. `weight` is the number of bytes that the
    /// job writes. Only a few jobs that write much are stored together.
    package func submit<Value: Sendable>(
        to lane: Lane, in line: StoreLine? = nil, durably: Bool = false, mayWait: Bool = false,
        weight: Int = 0,
        _ work: @escaping @Sendable (any LaneStore) throws(StoreFailure) -> Value,
        then: @escaping (Result<Value, StoreFailure>) -> Void
    ) {
        submit(
            .lane(
                LaneJob(of: lane, in: line, durably: durably, weight: weight, work: work, then: then), lane,
                isPatient: false), mayWait: mayWait)
    }

    /// Reads from one lane.
    ///
    /// `then` gets the result.
    ///
    /// Submitted jobs take precedence over reads, even over earlier ones. A change waits for at most one read.
    /// Therefore, the result of a read includes all jobs that were submitted before the read, and may include later
    /// ones.
    package func read<Value: Sendable>(
        from lane: Lane, _ work: @escaping @Sendable (any LaneStore) throws(StoreFailure) -> Value,
        then: @escaping (Result<Value, StoreFailure>) -> Void
    ) {
        submit(
            .lane(
                LaneJob(of: lane, in: nil, durably: false, work: work, then: then), lane, isPatient: true
            ))
    }

    /// Performs a job on the whole account, while no other thread uses either lane.
    ///
    /// `then` gets the result.
    ///
    /// At the end of the job, each lane commits once.
    package func submitToAccount<Value: Sendable>(
        in line: StoreLine? = nil,
        _ work: @escaping @Sendable (any AccountStore) throws(StoreFailure) -> Value,
        then: @escaping (Result<Value, StoreFailure>) -> Void
    ) {
        submit(.account(TypedAccountJob(in: line, work: work, then: then)))
    }

    /// Opens a read-only store for writing, if its disk can be written now.
    ///
    /// `then` gets the outcome.
    func reopen(then: @escaping (StoreReopening) -> Void) { submit(.account(ReopeningStoreJob(then: then))) }

    /// Rescues the lane in which a reader has found damage.
    ///
    /// The reader is not one of the store's threads. `then` is called once the rescue is done.
    ///
    /// `opening` is the number of the store's opening whose files the reader had opened (`ReaderGate.opening`). If the
    /// store was opened again since, there is nothing to do.
    func rescue(after failure: StoreFailure, foundIn opening: Int, then: @escaping () -> Void) {
        submit(.account(RescuingStoreJob(after: failure, foundIn: opening, then: then)))
    }

    /// Closes the store when all submitted jobs are done.
    ///
    /// After that, `work` is called, which may change the files of the store.
    ///
    /// Jobs that are submitted from now on fail. `then` gets the outcome.
    package func close(
        _ work: @escaping @Sendable () throws(StoreFailure) -> Void,
        then: @escaping (Result<Void, StoreFailure>) -> Void
    ) {
        submit(.account(ClosingStoreJob(work: work, then: then)))
        isClosing = true
    }

    /// Releases the memory of cached content of both lanes, one after the other, and of code.
    private func releaseMemory() {
        guard !isClosing else { return }
        for lane in Lane.allCases {
            submit(to: lane) { (store) throws(StoreFailure) in
                (store as? SQLiteLane)?.releaseMemory()
            } then: { _ in
                FreedMemory.giveBack()
                IdleCode.giveBack()
            }
        }
    }

    private func submit(_ submission: Submission, mayWait: Bool = false) {
        rest?.noteQuestion()
        // Only activity jobs could still be performed before the store is closed. Index jobs that are submitted now
        // come after the closing anyway.
        if isClosing, case .lane(let job, .activities, _) = submission { job.refuse() }
        submitted.append(submission)
        guard let afterTurn else { return enterSubmitted() }
        guard !isEntering else { return }
        if mayWait, let (timer, time) = gathering {
            if !timer.isSet { timer.set(after: time) { [unowned self] in enterSubmitted() } }
            return
        }
        isEntering = true
        afterTurn { [weak self] in self?.enterSubmitted() }
    }

    private func enterSubmitted() {
        isEntering = false
        gathering?.timer.cancel()
        let entering = submitted
        submitted = []
        for submission in entering {
            switch submission {
            case .lane(let job, let lane, let isPatient): entrance.enter(job, to: lane, isPatient: isPatient)
            case .account(let job): entrance.enter(job)
            }
        }
    }

    /// Begins a new life of the journal in both lanes.
    ///
    /// This takes effect before all jobs that are submitted from now on.
    func begin(_ life: Life) { tellWitness { $0.begin(life) } }

    /// Makes the witness forget the life of the journal in both lanes.
    ///
    /// This takes effect before all jobs that are submitted from now on. If the process ends before another life is
    /// noted, the next process begins a new life.
    func forgetLife() { tellWitness { $0.remove() } }

    private func tellWitness(_ tell: @escaping @Sendable (LaneWitness) -> Void) {
        for lane in Lane.allCases {
            submit(to: lane) { [witness = witness.lane(lane)] (_) throws(StoreFailure) in
                tell(witness)
            } then: { _ in
            }
        }
    }

    /// Stops the opening or the rescue of the store, if one is under way.
    ///
    /// If there is no store after that, submitted jobs fail.
    package func stopOpening() { watch.stop() }

    /// Ends the threads of a store that is closed, and releases the objects that the loop holds for the store.
    func dispose() {
        finish()
        release()
    }

    /// Ends the threads.
    ///
    /// Returns when all submitted jobs are done and the store is closed.
    package func finish() {
        rest?.cancel()
        enterSubmitted()
        entrance.close()
    }
}

/// A report of the store's threads, for the callers of the store.
package enum StoreReport: Sendable {
    /// The store was opened, was opened again because of damage, or could not be opened.
    case opened(Result<StoreOpening, StoreFailure>)
    /// The opening or the rescue of the store takes long. This is its progress.
    case rescuing(RescueProgress)
    /// These jobs are done, in this order.
    case done([StoreJob])
    /// A large part of a database is in memory.
    case grown

    /// Calls the closure for this report.
    ///
    /// If jobs are done, reports their results.
    package func tell(
        opened: (Result<StoreOpening, StoreFailure>) -> Void,
        rescuing: (RescueProgress) -> Void = { _ in }, grown: () -> Void = {}
    ) {
        switch self {
        case .opened(let result): opened(result)
        case .rescuing(let progress): rescuing(progress)
        case .done(let jobs): for job in jobs { job.tell() }
        case .grown: grown()
        }
    }
}
