import BatonCore
import BatonNetwork
import BatonStore

/// Computes the digest of the state, after all pending merging and clearing is done.
///
/// The pending work is done in small steps, and other writes are handled between the steps. If the work takes long, the
/// client gets the amount of remaining work, and then calls again.
///
/// The digest does not wait for a large clear. A separate thread reads the digest in the meantime, because reading
/// records is much faster than removing them. Everything else happens on the loop's thread.
final class DigestQuestion {
    private let account: AccountCore
    /// Called with each commit that merges or clears records.
    private let committed: (StoreCommit, Lane) -> Void
    private let time: WallTime
    /// The closure for the answer, which is called once.
    private var answer: Answer<DigestReply>?
    /// The timer for the reply with the amount of remaining work.
    private let timer: OwnedTimer
    /// The remaining work of each lane when it was last counted.
    private var left: [Lane: Unsettled] = [:]
    /// The number of steps that were done in the current lane.
    private var steps = 0
    /// Decides how much work is done in one step.
    private var pace: SettlingPace

    /// The number of steps after which the remaining work is counted again.
    ///
    /// It is not counted more often, because counting reads all of it.
    private static let countedSteps = 16
    /// If clears must still sweep more places than this number, a thread reads the digest without waiting for them.
    private static let sweptAtOnce = 1000

    /// The result of reading on a thread: the digest, and the number of places that clears must still sweep.
    ///
    /// The value is nil if batches must be merged first.
    private typealias Reading = Result<(digest: StateDigest, toClear: Int)?, StoreFailure>
    /// The thread that reads the digest, the object that stops it early, and the mailbox for its result; nil unless a
    /// thread reads.
    private var reader: (worker: WorkerThread<WallTime>, stop: SearchStop, answers: Mailbox<Reading>)?
    /// Whether a thread has already read without success, because a batch had to be merged first.
    private var wasReadInVain = false

    init(
        at time: WallTime, of account: AccountCore, committed: @escaping (StoreCommit, Lane) -> Void,
        _ answer: @escaping Answer<DigestReply>
    ) {
        self.time = time
        self.account = account
        self.committed = committed
        self.answer = answer
        timer = OwnedTimer(on: account.loop)
        pace = SettlingPace(account.limits)
    }

    deinit { reader?.stop.stop() }

    func begin() {
        timer.set(after: account.limits.digestSilence) { [self] in
            tell(.success(.settling(left.values.reduce(Unsettled(), +))))
        }
        settle(Lane.allCases[...])
    }

    /// Does the pending work of these lanes, one after the other, and then reads the digest.
    private func settle(_ lanes: ArraySlice<Lane>) {
        guard answer != nil else { return }
        guard let lane = lanes.first else { return read() }
        let (most, isCounted, begun) = (
            pace.most, steps % Self.countedSteps == 0, account.loop.now
        )
        steps += 1
        account.store.submit(to: lane) { (store) throws(StoreFailure) in
            let commit = try store.settle(most: most)
            return (commit, isCounted ? try store.unsettled() : nil)
        } then: { [self] result in
            pace.recordTime(account.loop.now - begun)
            switch result {
            case .success((let commit?, let left)):
                if let left { self.left[lane] = left }
                committed(commit, lane)
                if !wasReadInVain, let left, left.toMerge == 0, left.toClear > Self.sweptAtOnce {
                    readBeside()
                } else {
                    settle(lanes)
                }
            case .success((nil, _)):
                (left[lane], steps) = (nil, 0)
                settle(lanes.dropFirst())
            case .failure(let failure): fail(failure)
            }
        }
    }

    /// Reads the digest on a separate thread while clears are being applied.
    ///
    /// If the thread can't compute the digest, the pending work continues first.
    private func readBeside() {
        do throws(NetworkError) {
            let answers: Mailbox<Reading> = try account.loop.mailbox { [self] reading in
                endReading()
                switch reading {
                case .success(let (digest, toClear)?): tell(.success(.digest(digest, toClear: toClear)))
                case .success(nil), .failure:
                    // A batch has ended in the meantime, or the store was replaced. If there was another failure, the
                    // attempt below fails, too.
                    wasReadInVain = true
                    begin()
                }
            }
            let stop = SearchStop()
            let worker = try WorkerThread<WallTime>(name: "baton-digest") { [folder = account.folder] in
                { times in for time in times { answers.post(Self.read(in: folder, at: time, stop)) } }
            }
            reader = (worker, stop, answers)
            // From here on, the remaining work is not reported. Otherwise, the client would call again, and reading
            // would start over.
            timer.cancel()
            worker.submit(time)
        } catch {
            fail(StoreFailure(.failed, "\(error)"))
        }
    }

    /// Ends the thread, because it has posted its result.
    private func endReading() {
        guard let reader = self.reader.take() else { return }
        account.loop.remove(reader.answers)
        reader.worker.finish()
    }

    /// Reads the digest of both lanes.
    ///
    /// The value is nil if batches must be merged first.
    private static func read(in folder: String, at time: WallTime, _ stop: SearchStop) -> Reading {
        Result { () throws(StoreFailure) in
            var sum = (digest: StateDigest(), toClear: 0)
            for lane in Lane.allCases {
                let digest = try UnsweptDigest(of: lane, in: folder, stop: stop).digest(at: time)
                guard let digest else { return nil }
                sum.digest += digest.digest
                sum.toClear += digest.toClear
            }
            return sum
        }
    }

    /// Reads the digest, unless new work is pending.
    private func read() {
        account.store.submitToAccount {
            [time, most = account.limits.settledRecords] (store) throws(StoreFailure) in
            let step = try store.settle(most: most)
            return (step, step == nil ? try store.digest(at: time) : StateDigest())
        } then: { [self] result in
            switch result {
            case .success((let step?, _)):
                committed(step.commit, step.lane)
                settle(Lane.allCases[...])
            case .success((nil, let digest)): tell(.success(.digest(digest)))
            case .failure(let failure): fail(failure)
            }
        }
    }

    private func fail(_ failure: StoreFailure) {
        tell(.failure(LocalFailure(.storage, "Could not calculate the digest: \(failure).")))
    }

    private func tell(_ answer: Result<DigestReply, LocalFailure>) {
        guard let tell = self.answer.take() else { return }
        timer.cancel()
        tell(answer)
    }
}
