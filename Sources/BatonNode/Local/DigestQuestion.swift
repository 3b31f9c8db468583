import BatonCore
import BatonNetwork

/// Computes the digest of the state, after the pending merging and clearing is done.
///
/// The pending work is done in small steps, between which other writes are handled. If it takes long, the client gets
/// the amount of remaining work, and asks again. All of this happens on the loop's thread.
final class DigestQuestion {
    private let account: AccountNode
    private let time: WallTime
    /// The closure for the answer; it is called once.
    private var answer: Answer<DigestReply>?
    /// The timer for the reply with the remaining work.
    private let timer: OwnedTimer
    /// The work that each lane had left when it was last counted.
    private var left: [Lane: Unsettled] = [:]
    /// The number of steps that were done in the current lane.
    private var steps = 0
    /// The amount of work in one step.
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

    /// Does the pending work in those lanes.
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

    /// Reads the digest, unless new work is pending.
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
        tell(.failure(LocalFailure(.storage, "Could not calculate the digest: \(failure).")))
    }

    private func tell(_ answer: Result<DigestReply, LocalFailure>) {
        guard let tell = self.answer.take() else { return }
        timer.cancel()
        tell(answer)
    }
}
