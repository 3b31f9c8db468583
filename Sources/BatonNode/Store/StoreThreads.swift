package import BatonCore
package import BatonNetwork
package import BatonStore

/// The two threads that perform the jobs of an account's store, so that the event loop never waits for a disk, and an
/// activity never waits for the index.
///
/// Each lane has a thread, which performs the jobs on that lane. Jobs that are submitted while the thread is busy are
/// performed together, with one commit of that lane. A job on the whole account is performed alone, by the thread of
/// the index: when it reaches the job, the activities thread lends its lane, and waits until it has the lane back
/// (`StoreLoan`). So nothing is locked. An activity waits for jobs on the whole account, but never for the index jobs
/// before them.
///
/// The order of submission holds in each lane, and a job on the whole account is performed after all jobs that were
/// submitted before it. Index jobs that are submitted later are performed after it; later activity jobs may be
/// performed before it.
///
/// Results are reported in the order of execution, once the changes that they describe are stored: results about one
/// lane in the order of that lane, and results about the whole account in the order of each lane. Results about
/// different lanes may overtake each other.
///
/// Jobs that are submitted in a turn of an event loop reach the threads together, at the end of that turn. By then the
/// turn's messages to other devices are on their way: those devices need not wait until the disk's work leaves a
/// processor free. A job that may wait does so until another job is submitted, or for some milliseconds.
///
/// The object belongs to the thread that submits: the thread of the loop, if there is one.
package final class StoreThreads {
    private let entrance: StoreQueues
    let witness: Witness
    /// The gate that searches of the store pass.
    let readers = ReaderGate()
    /// Releases what the loop keeps for the store.
    private let release: () -> Void
    /// Watches the store being opened and rescued.
    private let watch: RescueWatch
    /// Calls a closure at the end of the loop's turn; nil without a loop.
    private let afterTurn: ((@escaping () -> Void) -> Void)?
    /// The jobs that were submitted and have not reached the threads, oldest first.
    private var submitted: [Submission] = []
    /// Whether the submitted jobs reach the threads at the end of this turn.
    private var isEntering = false
    /// Set while all submitted jobs may wait, with the longest time for that; nil without a loop.
    private let gathering: (timer: OwnedTimer, time: Duration)?
    /// Releases memory once the databases are idle; nil without a loop.
    private var rest: StoreRest?
    /// Whether the store was told to close.
    private var isClosing = false

    private enum Submission {
        case lane(LaneJob, Lane, isPatient: Bool)
        case account(AccountJob)
    }

    /// Opens the store in a folder.
    ///
    /// The closure is called with reports on either thread, in order; it must pass them on
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
    /// `opened` is called on the loop with the outcome before any result, and once more whenever the store was reopened
    /// because it was found to be damaged.
    convenience init(
        folder: String, account: AccountIdentifier, witness: Witness, logBytes: Int, claimTime: Duration,
        on loop: EventLoop,
        restPause: Duration, opened: @escaping (Result<StoreOpening, StoreFailure>) -> Void,
        rescuing: @escaping (RescueProgress) -> Void
    ) throws(NetworkError) {
        // The closure for growth needs the store, which does not exist yet.
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

    /// Performs a job in one lane; `then` gets the result.
    ///
    /// After a failed job, no later job of the same line is performed in that lane. A durable job survives a power
    /// failure once its result is reported, and so does everything that was stored in the lane before. A job that may
    /// wait is stored together with the next one, if that comes soon. Only a few jobs that write much, by their weight
    /// in bytes, are stored together.
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

    /// Reads in one lane; `then` gets the result.
    ///
    /// Submitted jobs take precedence over reads, even over earlier ones: a change waits for at most one read. So the
    /// result is never older than the jobs that were submitted before the read, and may be newer.
    package func read<Value: Sendable>(
        from lane: Lane, _ work: @escaping @Sendable (any LaneStore) throws(StoreFailure) -> Value,
        then: @escaping (Result<Value, StoreFailure>) -> Void
    ) {
        submit(
            .lane(
                LaneJob(of: lane, in: nil, durably: false, work: work, then: then), lane, isPatient: true
            ))
    }

    /// Performs a job on the whole account, while no other thread is using either lane; `then` gets the result.
    ///
    /// The job ends with one commit of each lane.
    package func submitToAccount<Value: Sendable>(
        in line: StoreLine? = nil,
        _ work: @escaping @Sendable (any AccountStore) throws(StoreFailure) -> Value,
        then: @escaping (Result<Value, StoreFailure>) -> Void
    ) {
        submit(.account(TypedAccountJob(in: line, work: work, then: then)))
    }

    /// Opens a read-only store for writing, if its disk allows it by now; `then` gets the outcome.
    func reopen(then: @escaping (StoreReopening) -> Void) { submit(.account(ReopeningStoreJob(then: then))) }

    /// Rescues the lane that a reader beside the store's threads found damaged; `then` is called once that is done.
    ///
    /// The reader had opened its files in this opening of the store (`ReaderGate.opening`). If the store was reopened
    /// since, there is nothing to do.
    func rescue(after failure: StoreFailure, foundIn opening: Int, then: @escaping () -> Void) {
        submit(.account(RescuingStoreJob(after: failure, foundIn: opening, then: then)))
    }

    /// Closes the store when all submitted jobs are done, and then calls a closure that works on its files.
    ///
    /// Jobs that are submitted from now on fail. `then` gets the outcome.
    package func close(
        _ work: @escaping @Sendable () throws(StoreFailure) -> Void,
        then: @escaping (Result<Void, StoreFailure>) -> Void
    ) {
        submit(.account(ClosingStoreJob(work: work, then: then)))
        isClosing = true
    }

    /// Releases the memory of what was read from the databases, of both lanes one after the other, and of code.
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
        // Only activity jobs could still be performed: later index jobs come after the closing anyway.
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

    /// Begins a new life of the journal, in both lanes, before the jobs that are submitted from now on.
    func begin(_ life: Life) { tellWitness { $0.begin(life) } }

    /// Makes the witness forget the life of the journal, in both lanes, before the jobs that are submitted from now on:
    /// if the process ends before another life is noted, the next process begins a new one.
    func forgetLife() { tellWitness { $0.remove() } }

    private func tellWitness(_ tell: @escaping @Sendable (LaneWitness) -> Void) {
        for lane in Lane.allCases {
            submit(to: lane) { [witness = witness.lane(lane)] (_) throws(StoreFailure) in
                tell(witness)
            } then: { _ in
            }
        }
    }

    /// Stops the opening or the rescue of the store that may be under way; if there is no store then, submitted jobs
    /// fail.
    package func stopOpening() { watch.stop() }

    /// Ends the threads of a store that is closed, and releases what the loop keeps for it.
    func dispose() {
        finish()
        release()
    }

    /// Returns when all submitted jobs are done and the store is closed.
    package func finish() {
        rest?.cancel()
        enterSubmitted()
        entrance.close()
    }
}

/// A report of the store's threads to the callers of their jobs.
package enum StoreReport: Sendable {
    /// The store was opened, was reopened because something was damaged, or could not be opened.
    case opened(Result<StoreOpening, StoreFailure>)
    /// The opening or the rescue of the store is taking long, and has come this far.
    case rescuing(RescueProgress)
    /// These jobs are done, in this order.
    case done([StoreJob])
    /// Much of a database is in memory.
    case grown

    /// Passes the report on to everyone who waits for it.
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
