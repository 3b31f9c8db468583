import BatonCore
import BatonNetwork
import BatonSecurity
import Glibc

/// Answers what apps and commands ask, by calling what the account's node can do.
struct Requests {
    /// The account of which they ask.
    unowned let served: ServedAccount
    let account: AccountNode
    let search: Search
    let backups: Backups
    let log: Log

    init(of served: ServedAccount, account: AccountNode, search: Search, backups: Backups) {
        (self.served, self.account, self.search, self.backups) = (served, account, search, backups)
        log = served.log
    }

    func handle(_ request: LocalRequest, _ answer: @escaping (LocalAnswer) -> Void) {
        do throws(LocalFailure) {
            switch request {
            case .start(let start): try self.start(start, answer)
            case .update(let target, let change): try update(target, change, answer)
            case .finish(let target): try finish(target, answer)
            case .list(let place): withList(answer) { $0.part(after: place) }
            case .continueActivity(let selection): continueActivity(selection, answer)
            case .status: answer(.status(status))
            case .digest(let time): digest(at: time, settling: Lane.allCases[...], answer)
            case .settings: answer(.settings(account.settings))
            case .set(let name, let value): try set(name, to: value, answer)
            case .devices: tell(account.deviceStatus, answer)
            case .invite(let asksPerson):
                answer(try invite(asksPerson: asksPerson))
            case .cancelInvitation: answer(try cancelInvitation())
            case .awaitInvitation(let code, let isJoinerKnown):
                account.reception.awaitInvitation(code, isJoinerKnown: isJoinerKnown, answer)
            case .answerJoiner(let code, let letIn):
                account.reception.answerJoiner(code, letIn: letIn, answer)
            case .clientState(let index): clientState(index, answer)
            case .acknowledgeReindexing(let index, let extent):
                account.reindexing.acknowledge(ReindexRequest(extent, of: index), answer)
            case .index, .endBatch, .discardBatch, .opened, .awaitReindexing:
                preconditionFailure("what a connection begins is the connection's")
            case .accounts: preconditionFailure("of all accounts the node is asked")
            case .search(let text, let most): search(text, most: most, answer)
            case .backup(let path, let replaces): backups.backUp(to: path, replaces: replaces, answer)
            case .restore(let path, let isConfirmed):
                backups.restore(path, isConfirmed: isConfirmed, answer)
            case .awaitBackup: backups.await(answer)
            case .revoke(let device, let isConfirmed):
                try revoke(device, isConfirmed: isConfirmed, answer)
            case .remove(let device): try remove(device, answer)
            case .rename(let device, let name): try rename(device, to: name, answer)
            case .promote(let code): account.promote(code) { answer(LocalAnswer($0) { .promoted($0) }) }
            case .leave(false): answer(.departure(account.departure))
            case .leave(true): account.leave { answer(LocalAnswer($0) { .departure($0) }) }
            case .unknown:
                throw LocalFailure(
                    .versionMismatch,
                    "The node is older (\(Build.version)) and does not know this request. Restart it with `baton node`."
                )
            }
        } catch {
            answer(.failure(error))
        }
    }

    // MARK: Activities of this device

    private func start(_ start: ActivityStart, _ answer: @escaping (LocalAnswer) -> Void) throws(LocalFailure)
    {
        let name = ActivityName(device: account.credentials.device, app: start.app, instance: start.instance)
        guard !start.type.isEmpty else {
            throw LocalFailure(.usage, "An activity needs a type, such as `org.example.edit`.")
        }
        var activity = Activity(type: start.type, started: .now)
        start.change.apply(to: &activity)
        try check(activity, name)
        account.activities.start(name, activity, process: start.process) { failure in
            tell(failure, name, activity, answer)
        }
    }

    private func update(
        _ target: ActivityTarget, _ change: ActivityChange, _ answer: @escaping (LocalAnswer) -> Void
    ) throws(LocalFailure) {
        var (name, activity) = try account.activities.find(target)
        change.apply(to: &activity)
        activity.changed = .now
        try check(activity, name)
        account.activities.update(name, activity) { [activity, name] failure in
            tell(failure, name, activity, answer)
        }
    }

    private func finish(_ target: ActivityTarget, _ answer: @escaping (LocalAnswer) -> Void)
        throws(LocalFailure)
    {
        let (name, activity) = try account.activities.find(target)
        account.activities.finish(name) { failure in tell(failure, name, activity, answer) }
    }

    private func check(_ activity: Activity, _ name: ActivityName) throws(LocalFailure) {
        guard activity.fields.encodedCount <= Limits.activityBytes, name.key.name.count <= RecordKey.nameBytes
        else {
            throw .activityTooLarge
        }
        do throws(PropertyLimitError) {
            try PropertyLimits.payload.check(.dictionary(activity.info))
        } catch {
            throw LocalFailure(.tooLarge, "The payload of the activity is too large. \(error)")
        }
    }

    private func tell(
        _ failure: StoreFailure?, _ name: ActivityName, _ activity: Activity, _ answer: (LocalAnswer) -> Void
    ) {
        if let failure {
            answer(.failure(LocalFailure(.storage, "It was not kept: \(failure). Nothing has changed.")))
        } else {
            let list = ActivityList([], devices: account.devices, own: account.credentials.device, now: .now)
            answer(.activity(list.summary(name, activity)))
        }
    }

    // MARK: Activities of all devices

    private func withList(
        _ answer: @escaping (LocalAnswer) -> Void, _ make: @escaping (ActivityList) -> LocalAnswer?
    ) {
        account.store.submit(to: .activities) { (store) throws(StoreFailure) in
            try store.records(of: .currentActivity)
        } then: { [account] result in
            switch result {
            case .failure(let failure):
                answer(.failure(LocalFailure(.storage, "The activities could not be read: \(failure).")))
            case .success(let records):
                let list = ActivityList(
                    records, devices: account.devices, own: account.credentials.device, now: .now)
                if let made = make(list) { answer(made) }
            }
        }
    }

    private func continueActivity(_ selection: ActivitySelection, _ answer: @escaping (LocalAnswer) -> Void) {
        withList(answer) { [account] list in
            do throws(LocalFailure) {
                let (name, activity) = try list.find(selection)
                if let own = account.activities.activity(name) {
                    return .continued(ContinuedActivity(summary: list.summary(name, own), source: .node))
                }
                Continuing(account, list, name, replica: activity, answer).begin()
                return nil
            } catch {
                return .failure(error)
            }
        }
    }

    // MARK: Indexes

    private func clientState(_ index: ClientStateName, _ answer: @escaping (LocalAnswer) -> Void) {
        account.store.submit(to: .index) { (store) throws(StoreFailure) in
            try store.shownState(of: index)?.state.state
        } then: { result in
            switch result {
            case .success(let state): answer(.clientState(state))
            case .failure(let failure):
                answer(.failure(LocalFailure(.storage, "The client state could not be read: \(failure).")))
            }
        }
    }

    // MARK: The node

    /// The digest, once all that batches and clears have left in those lanes is done, in small steps between which others
    /// write.
    private func digest(
        at time: WallTime, settling lanes: ArraySlice<Lane>, _ answer: @escaping (LocalAnswer) -> Void
    ) {
        let most = account.limits.settledRecords
        guard let lane = lanes.first else { return settledDigest(at: time, answer) }
        account.store.submit(to: lane) { (store) throws(StoreFailure) in
            try store.settle(most: most)
        } then: { [account] result in
            switch result {
            case .success(let commit?):
                account.handle(commit, of: lane)
                digest(at: time, settling: lanes, answer)
            case .success(nil): digest(at: time, settling: lanes.dropFirst(), answer)
            case .failure(let failure): answer(Self.noDigest(failure))
            }
        }
    }

    /// The digest, unless something was left anew.
    private func settledDigest(at time: WallTime, _ answer: @escaping (LocalAnswer) -> Void) {
        account.store.submitToAccount { [most = account.limits.settledRecords] (store) throws(StoreFailure) in
            let step = try store.settle(most: most)
            return (step, step == nil ? try store.digest(at: time) : StateDigest())
        } then: { [account] result in
            switch result {
            case .success((let step?, _)):
                account.handle(step.commit, of: step.lane)
                digest(at: time, settling: Lane.allCases[...], answer)
            case .success((nil, let digest)): answer(.digest(digest))
            case .failure(let failure): answer(Self.noDigest(failure))
            }
        }
    }

    private static func noDigest(_ failure: StoreFailure) -> LocalAnswer {
        .failure(LocalFailure(.storage, "The digest could not be made: \(failure)."))
    }

    private var status: NodeStatus {
        var status = NodeStatus(
            account: account.credentials.account, device: account.reference(account.credentials.device),
            build: Build.version, process: getpid(), listening: served.surroundings.listening,
            peers: account.deviceStatus.others.filter { $0.revocation == nil },
            troubles: account.troubles + account.peers.differences.troubles())
        status.accountName = served.name.text
        return status
    }
}
