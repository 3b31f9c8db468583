import BatonCore
import BatonNetwork
import BatonStore

/// The thread that owns an account's store, so that the event loop never waits for a disk.
///
/// What is submitted while it is busy is done together, with one commit. Answers come back on the loop, in
/// the order of the questions, once what they tell is kept.
final class StoreThread {
    private let worker: WorkerThread<StoreJob>
    private let witness: Witness
    private let loop: EventLoop
    private let answers: Mailbox<Report>

    /// Opens the store in that folder; `opened` hears on the loop how that went, before any answer, and how it went
    /// whenever the store was opened anew because it was found to be damaged.
    init(
        folder: String, account: AccountIdentifier, witness: Witness, on loop: EventLoop,
        opened: @escaping (Result<StoreOpening, StoreFailure>) -> Void
    ) throws(NetworkError) {
        (self.witness, self.loop) = (witness, loop)
        let answers: Mailbox<Report> = try loop.mailbox { report in
            switch report {
            case .opened(let result): opened(result)
            case .done(let jobs): for job in jobs { job.tell() }
            }
        }
        self.answers = answers
        worker = try WorkerThread(name: "baton-store") {
            let holder = StoreHolder(folder: folder, account: account)
            answers.post(.opened(holder.open()))
            return { jobs in
                holder.use { store in
                    Self.perform(jobs, on: store, before: witness)
                } otherwise: { failure in
                    for job in jobs { job.fail(failure) }
                }
                for case let last as ClosingStoreJob in jobs {
                    holder.close()
                    last.finish()
                }
                // Who hears of a failure knows by then what became of the store.
                if let result = holder.rescue(before: witness) { answers.post(.opened(result)) }
                answers.post(.done(jobs))
            }
        }
    }

    /// What the thread says to the loop.
    private enum Report: Sendable {
        case opened(Result<StoreOpening, StoreFailure>)
        case done([StoreJob])
    }

    /// Has the store do something; `then` hears on the loop what came of it.
    ///
    /// Of what is submitted in one line, nothing is done after what failed. What is to be done alone shares no commit. What
    /// is to be done durably survives the loss of power once that is told.
    func submit<Value: Sendable>(
        in line: StoreLine? = nil, alone: Bool = false, durably: Bool = false,
        _ work: @escaping @Sendable (any AccountStore) throws(StoreFailure) -> Value,
        then: @escaping (Result<Value, StoreFailure>) -> Void
    ) {
        worker.submit(
            TypedStoreJob(in: line, alone: alone, durably: durably, work: work, then: then))
    }

    /// Closes the store when all that was submitted is done, and does something with its files.
    ///
    /// What is submitted from now on fails. `then` hears on the loop how it went.
    func close(
        _ work: @escaping @Sendable () throws(StoreFailure) -> Void,
        then: @escaping (Result<Void, StoreFailure>) -> Void
    ) {
        worker.submit(ClosingStoreJob(work: work, then: then))
    }

    /// The journal begins a new life with what is submitted from now on.
    func begin(_ life: Life) {
        submit { [witness] (_) throws(StoreFailure) in
            witness.begin(life)
        } then: { _ in
        }
    }

    /// Ends the thread of a store that is closed, and lets go of what the loop keeps for it.
    func dispose() {
        worker.finish()
        loop.remove(answers)
    }

    /// Returns when all that was submitted is done and the store is closed.
    func finish() { worker.finish() }

    private static func perform(
        _ jobs: [StoreJob], on store: any AccountStore, before witness: Witness
    ) {
        // What failed to be kept was noted, too.
        defer { witness.noteOrForget(store) }
        var rest = jobs[...]
        while let first = rest.first {
            if first.isAlone {
                first.perform(on: store)
                rest.removeFirst()
            } else {
                let together = rest.prefix { !$0.isAlone }
                performTogether(Array(together), on: store, before: witness)
                rest.removeFirst(together.count)
            }
        }
    }

    private static func performTogether(
        _ jobs: [StoreJob], on store: any AccountStore, before witness: Witness
    ) {
        if attempt(jobs, on: store, before: witness) || jobs.count == 1 { return }
        // Each alone: what one job broke is not the fault of the others, and what a lane has kept before
        // another failed to is not done twice, as a dot is taken once.
        for job in jobs { job.forget() }
        for job in jobs { _ = attempt([job], on: store, before: witness) }
    }

    /// Does jobs with one commit; false if nothing of them was kept.
    ///
    /// The witness takes note of them before they are kept: if the process ends in between, a life begins for nothing.
    /// The other way round, a backup of the moment before would be taken for the journal that was written last.
    private static func attempt(
        _ jobs: [StoreJob], on store: any AccountStore, before witness: Witness
    ) -> Bool {
        do {
            try store.group(durably: jobs.contains(where: \.isDurable)) { () throws(StoreFailure) in
                for job in jobs { job.perform(on: store) }
                witness.noteOrForget(store, isKept: false)
            }
            return true
        } catch {
            // Whatever single jobs were told before.
            for job in jobs { job.fail(error) }
            return false
        }
    }
}

/// What is submitted for one purpose, such as a session: each is only right if all before it were done.
///
/// Sendable although it changes: after it is made, only the store's thread looks into it.
final class StoreLine: @unchecked Sendable {
    /// What failed first.
    fileprivate var failure: StoreFailure?
}

/// One question to the store, on its way there and back.
///
/// Sendable although it changes: the queues hand it from the loop to the store's thread and back, and only
/// one of them has it at a time.
private class StoreJob: @unchecked Sendable {
    private let line: StoreLine?
    /// Whether the line failed here, and not before.
    private var isFirstToFail = false

    /// Whether it is done outside of any group.
    let isAlone: Bool
    /// Whether it is to survive the loss of power.
    let isDurable: Bool

    init(in line: StoreLine?, alone: Bool, durably: Bool) {
        (self.line, isAlone, isDurable) = (line, alone, durably)
    }

    final func perform(on store: any AccountStore) {
        do throws(StoreFailure) {
            if let failure = line?.failure { throw failure }
            try carryOut(on: store)
        } catch {
            fail(error)
        }
    }

    final func fail(_ failure: StoreFailure) {
        if let line, line.failure == nil { (line.failure, isFirstToFail) = (failure, true) }
        keep(failure)
    }

    /// Gets ready to be done anew.
    final func forget() {
        guard isFirstToFail else { return }
        line?.failure = nil
        isFirstToFail = false
    }

    func carryOut(on store: any AccountStore) throws(StoreFailure) { preconditionFailure("a job has a type") }
    func keep(_ failure: StoreFailure) { preconditionFailure("a job has a type") }
    func tell() { preconditionFailure("a job has a type") }
}

/// The last thing that is done with a store.
///
/// Sendable for the same reason.
private final class ClosingStoreJob: StoreJob, @unchecked Sendable {
    private let work: @Sendable () throws(StoreFailure) -> Void
    /// Called and let go on the loop's thread.
    private var then: ((Result<Void, StoreFailure>) -> Void)?
    private var result: Result<Void, StoreFailure>?

    init(
        work: @escaping @Sendable () throws(StoreFailure) -> Void,
        then: @escaping (Result<Void, StoreFailure>) -> Void
    ) {
        (self.work, self.then) = (work, then)
        super.init(in: nil, alone: true, durably: false)
    }

    /// Does the work, now that the store is closed.
    func finish() { result = Result { () throws(StoreFailure) in try work() } }

    /// Nothing is done with the store itself, nor if there is none.
    override func carryOut(on store: any AccountStore) throws(StoreFailure) {}
    override func keep(_ failure: StoreFailure) {}

    override func tell() {
        guard let result, let then = then.take() else { preconditionFailure("a job is told once, when done") }
        then(result)
    }
}

/// A question with the type of its answer.
///
/// Sendable for the same reason.
private final class TypedStoreJob<Value: Sendable>: StoreJob, @unchecked Sendable {
    private let work: @Sendable (any AccountStore) throws(StoreFailure) -> Value
    /// Called and let go on the loop's thread.
    private var then: ((Result<Value, StoreFailure>) -> Void)?
    private var result: Result<Value, StoreFailure>?

    init(
        in line: StoreLine?, alone: Bool, durably: Bool,
        work: @escaping @Sendable (any AccountStore) throws(StoreFailure) -> Value,
        then: @escaping (Result<Value, StoreFailure>) -> Void
    ) {
        (self.work, self.then) = (work, then)
        super.init(in: line, alone: alone, durably: durably)
    }

    override func carryOut(on store: any AccountStore) throws(StoreFailure) {
        result = .success(try work(store))
    }

    override func keep(_ failure: StoreFailure) { result = .failure(failure) }

    override func tell() {
        guard let result, let then = then.take() else { preconditionFailure("a job is told once, when done") }
        then(result)
    }
}
