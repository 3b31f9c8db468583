import BatonCore
import BatonNetwork

/// Computes the digest of the state, once batches and clears have nothing left to be done.
///
/// The rest of that work is done in small steps, between which others write. If it takes long, the client is told how
/// much is left, and asks again. It belongs to the loop's thread.
final class DigestQuestion {
    private let account: AccountNode
    private let time: WallTime
    /// Called once.
    private var answer: Answer<DigestReply>?
    /// Set for the moment at which the client is told how much is left.
    private let timer: OwnedTimer
    /// How much work each lane had left when it was last counted.
    private var left: [Lane: Unsettled] = [:]
    /// How many steps were done in the current lane.
    private var steps = 0
    /// How much is done in each step.
    private var pace: SettlingPace

    /// The work that is left is counted once in this many steps, because counting reads what it counts.
    private static let countedSteps = 16

    init(at time: WallTime, of account: AccountNode, _ answer: @escaping Answer<DigestReply>) {
        (self.time, self.account, self.answer) = (time, account, answer)
        timer = OwnedTimer(on: account.loop)
        pace = SettlingPace(account.limits)
    }

    func begin() {
        timer.set(after: account.limits.digestSilence) { [self] in
            tell(.success(.settling(left.values.reduce(Unsettled(), +))))
        }
        settle(Lane.allCases[...])
    }

    /// Does the work that is left in those lanes.
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
            pace.note(account.loop.now - begun)
            switch result {
            case .success((let commit?, let left)):
                if let left { self.left[lane] = left }
                account.handle(commit, of: lane)
                settle(lanes)
            case .success((nil, _)):
                (left[lane], steps) = (nil, 0)
                settle(lanes.dropFirst())
            case .failure(let failure): fail(failure)
            }
        }
    }

    /// Reads the digest, unless there is new work.
    private func read() {
        account.store.submitToAccount {
            [time, most = account.limits.settledRecords] (store) throws(StoreFailure) in
            let step = try store.settle(most: most)
            return (step, step == nil ? try store.digest(at: time) : StateDigest())
        } then: { [self] result in
            switch result {
            case .success((let step?, _)):
                account.handle(step.commit, of: step.lane)
                settle(Lane.allCases[...])
            case .success((nil, let digest)): tell(.success(.digest(digest)))
            case .failure(let failure): fail(failure)
            }
        }
    }

    private func fail(_ failure: StoreFailure) {
        tell(.failure(LocalFailure(.storage, "The digest could not be made: \(failure).")))
    }

    private func tell(_ answer: Result<DigestReply, LocalFailure>) {
        guard let tell = self.answer.take() else { return }
        timer.cancel()
        tell(answer)
    }
}
