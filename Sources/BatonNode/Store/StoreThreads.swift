package import BatonCore
package import BatonNetwork
package import BatonStore

/// The two threads that do what is asked of an account's store, so that the event loop never waits for a disk, and an
/// activity never for the index.
///
/// Each lane has a thread. What concerns one lane is done there, and what is submitted while the thread is busy is done
/// together, with one commit of that lane. A job on the whole account is done alone, by the thread of the index:
/// when it is at it, that of the activities lends its lane, and waits until it has it back (`StoreLoan`). So nothing is
/// locked, and an activity waits for what is done with the whole account, but never for what the index is at before.
///
/// The order of what was submitted holds for each lane, and what concerns the whole account is done behind all that was
/// submitted before it. What is submitted later to the index is done behind it; later activities may be done before it.
///
/// Answers come back as it was done, once what they tell is kept: those about a lane among each other, and those about
/// the whole account among those of each lane. Answers about different lanes may overtake each other.
///
/// What a turn of an event loop submits comes to the threads at the end of that turn, together: by then it is on its way
/// what the turn has to say to others, who need not wait until a processor is free of the disk's work.
///
/// It belongs to the thread that submits: that of the loop, if there is one.
package final class StoreThreads {
    private let entrance: StoreQueues
    let witness: Witness
    /// The gate that searches of the store pass.
    let readers = ReaderGate()
    private let letGo: () -> Void
    /// Watches the store being opened and rescued.
    private let watch: RescueWatch
    /// Has something done at the end of the loop's turn; nothing without a loop.
    private let afterTurn: ((@escaping () -> Void) -> Void)?
    /// What this turn submitted, oldest first.
    private var submitted: [Submission] = []
    /// Whether the store was told to close.
    private var isClosing = false

    private enum Submission {
        case lane(LaneJob, Lane, isPatient: Bool)
        case account(AccountJob)
    }

    /// Opens the store in that folder.
    ///
    /// The closure is called on either thread with what there is to be told, in order; it sees to it that it is told
    /// (`StoreReport.tell(opened:)`).
    package init(
        folder: String, account: AccountIdentifier, witness: Witness, logBytes: Int = Limits().logBytes,
        rescueInterval: Duration = .seconds(1), report: @escaping @Sendable (StoreReport) -> Void,
        lettingGo: @escaping () -> Void = {},
        afterTurn: ((@escaping () -> Void) -> Void)? = nil
    ) throws(NetworkError) {
        (self.witness, letGo, self.afterTurn) = (witness, lettingGo, afterTurn)
        let entrance = StoreQueues()
        self.entrance = entrance
        let watch = RescueWatch(every: rescueInterval) { report(.rescuing($0)) }
        self.watch = watch
        let activities = try ActivitiesThread.Worker(name: "baton-activity") {
            let thread = ActivitiesThread(witness.lane(.activities), entrance, report)
            return { thread.handle($0) }
        }
        let index = try IndexThread.Worker(name: "baton-index") { [readers] in
            let holder = StoreHolder(
                folder: folder, account: account, device: witness.device, watch: watch, readers: readers,
                logBytes: logBytes)
            let thread = IndexThread(holder, witness, entrance, borrowingFrom: activities, report)
            return { thread.handle($0) }
        }
        entrance.open(activities, index)
        entrance.enter(OpeningStoreJob())
    }

    /// The same for an event loop: `opened` hears there how it went, before any answer, and how it went whenever the
    /// store was opened anew because it was found to be damaged.
    convenience init(
        folder: String, account: AccountIdentifier, witness: Witness, logBytes: Int, on loop: EventLoop,
        opened: @escaping (Result<StoreOpening, StoreFailure>) -> Void,
        rescuing: @escaping (RescueProgress) -> Void
    ) throws(NetworkError) {
        let answers: Mailbox<StoreReport> = try loop.mailbox { $0.tell(opened: opened, rescuing: rescuing) }
        try self.init(folder: folder, account: account, witness: witness, logBytes: logBytes) {
            answers.post($0)
        } lettingGo: {
            loop.remove(answers)
        } afterTurn: {
            loop.afterTurn($0)
        }
    }

    deinit { finish() }

    // MARK: Commands

    /// Has something done in one lane; `then` hears what came of it.
    ///
    /// Of what is submitted in one line, nothing is done in a lane after what failed there. What is to be done durably
    /// survives the loss of power once that is told, and all that was kept of the lane before with it.
    package func submit<Value: Sendable>(
        to lane: Lane, in line: StoreLine? = nil, durably: Bool = false,
        _ work: @escaping @Sendable (any LaneStore) throws(StoreFailure) -> Value,
        then: @escaping (Result<Value, StoreFailure>) -> Void
    ) {
        submit(
            .lane(
                TypedLaneJob(of: lane, in: line, durably: durably, work: work, then: then), lane,
                isPatient: false))
    }

    /// Has something read in one lane; `then` hears what came of it.
    ///
    /// Jobs that are submitted go first, however many read, and whenever they asked: a change waits for no more than one
    /// reading. So what is read is never older than what was submitted before, and may be newer.
    package func read<Value: Sendable>(
        from lane: Lane, _ work: @escaping @Sendable (any LaneStore) throws(StoreFailure) -> Value,
        then: @escaping (Result<Value, StoreFailure>) -> Void
    ) {
        submit(
            .lane(
                TypedLaneJob(of: lane, in: nil, durably: false, work: work, then: then), lane, isPatient: true
            ))
    }

    /// Has something done with the whole account, while nobody is at either lane; `then` hears what came of it.
    ///
    /// It is done with one commit of each lane.
    package func submitToAccount<Value: Sendable>(
        in line: StoreLine? = nil,
        _ work: @escaping @Sendable (any AccountStore) throws(StoreFailure) -> Value,
        then: @escaping (Result<Value, StoreFailure>) -> Void
    ) {
        submit(.account(TypedAccountJob(in: line, work: work, then: then)))
    }

    /// Opens a store that is only read for writing, if its disk allows it by now; `then` hears what came of it.
    func reopen(then: @escaping (StoreReopening) -> Void) { submit(.account(ReopeningStoreJob(then: then))) }

    /// Closes the store when all that was submitted is done, and does something with its files.
    ///
    /// What is submitted from now on fails. `then` hears how it went.
    package func close(
        _ work: @escaping @Sendable () throws(StoreFailure) -> Void,
        then: @escaping (Result<Void, StoreFailure>) -> Void
    ) {
        submit(.account(ClosingStoreJob(work: work, then: then)))
        isClosing = true
    }

    private func submit(_ submission: Submission) {
        // Whatever else comes to the index is behind the closing.
        if isClosing, case .lane(let job, .activities, _) = submission { job.refuse() }
        submitted.append(submission)
        guard let afterTurn else { return enterSubmitted() }
        if submitted.count == 1 { afterTurn { [weak self] in self?.enterSubmitted() } }
    }

    private func enterSubmitted() {
        let entering = submitted
        submitted = []
        for submission in entering {
            switch submission {
            case .lane(let job, let lane, let isPatient): entrance.enter(job, to: lane, isPatient: isPatient)
            case .account(let job): entrance.enter(job)
            }
        }
    }

    /// The journal begins a new life with what is submitted from now on, in both lanes.
    func begin(_ life: Life) {
        for lane in Lane.allCases {
            submit(to: lane) { [witness = witness.lane(lane)] (_) throws(StoreFailure) in
                witness.begin(life)
            } then: { _ in
            }
        }
    }

    /// Ends the opening or the rescue of the store that may be under way; without a store, what was submitted fails.
    package func stopOpening() { watch.stop() }

    /// Ends the threads of a store that is closed, and lets go of what the loop keeps for it.
    func dispose() {
        finish()
        letGo()
    }

    /// Returns when all that was submitted is done and the store is closed.
    package func finish() {
        enterSubmitted()
        entrance.close()
    }
}

/// What the threads of a store say to who asked them.
package enum StoreReport: Sendable {
    /// The store was opened, or opened anew because something was damaged, or could not be.
    case opened(Result<StoreOpening, StoreFailure>)
    /// The opening or the rescue of the store takes its time, and has come this far.
    case rescuing(RescueProgress)
    /// Those are done, in this order.
    case done([StoreJob])

    /// Tells everyone what came of it.
    package func tell(
        opened: (Result<StoreOpening, StoreFailure>) -> Void,
        rescuing: (RescueProgress) -> Void = { _ in }
    ) {
        switch self {
        case .opened(let result): opened(result)
        case .rescuing(let progress): rescuing(progress)
        case .done(let jobs): for job in jobs { job.tell() }
        }
    }
}
