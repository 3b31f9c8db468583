import BatonCore
import BatonNetwork

/// Goes on with an activity of another device: asks that device for its latest state, and takes the
/// replicated one if it does not answer in time.
struct Continuing {
    private let account: AccountNode
    private let list: ActivityList
    private let name: ActivityName
    private let replica: Activity
    private let answer: (LocalAnswer) -> Void

    init(
        _ account: AccountNode, _ list: ActivityList, _ name: ActivityName, replica: Activity,
        _ answer: @escaping (LocalAnswer) -> Void
    ) {
        (self.account, self.list, self.name) = (account, list, name)
        (self.replica, self.answer) = (replica, answer)
    }

    func begin() {
        guard let link = account.peers.link(to: name.device) else { return tell(replica, .replica) }
        // Whichever comes first, the answer or the end of patience, the other finds nothing left to do.
        var isTold = false
        let timer = account.loop.schedule(after: account.limits.continuingTime) {
            guard !isTold else { return }
            isTold = true
            tell(replica, .replica)
        }
        link.requestContinue(name.key.identity) { fields in
            guard !isTold else { return }
            isTold = true
            account.loop.cancel(timer)
            take(fields)
        }
    }

    /// Takes what the device answered; nothing if the link ended first.
    private func take(_ outcome: ContinueAnswer.Outcome?) {
        switch outcome {
        case .fields(let fields):
            do {
                tell(try Activity(fields), .node)
            } catch {
                account.log.tell("the latest state of an activity can't be read: \(error)")
                tell(replica, .replica)
            }
        case .gone:
            let title = replica.title ?? replica.type
            let device = list.reference(name.device).name
            answer(
                .failure(
                    LocalFailure(.notFound, "“\(title)” is not going on any more on \(device).")))
        case .unavailable, nil: tell(replica, .replica)
        }
    }

    private func tell(_ activity: Activity, _ source: ContinuedActivity.Source) {
        answer(.continued(ContinuedActivity(summary: list.summary(name, activity), source: source)))
    }
}
