import BatonCore
import BatonNetwork
import BatonSecurity
import BatonStore
import Glibc

/// The part of the node that serves an account.
///
/// Calls about the account get facts about the node from it.
protocol AccountHost: AnyObject {
    /// The name of the account on this machine.
    var name: AccountName { get }
    /// The addresses on which the node listens, in words for people.
    var listening: String { get }
    /// The addresses at which another machine can probably reach this machine, best first.
    var reachable: [SocketAddress] { get }
    /// The reason why machines on local networks might not be found, in words; nil if there is none.
    var discoveryTrouble: String? { get }
    /// Another account of the node that has an open invitation, with the options that name the account; nil if there is
    /// none.
    var otherInvitation: (name: AccountName, options: String)? { get }

    /// Returns whether another state has replaced this state of the account.
    ///
    /// The other state is served already, or will be.
    func hasReplaced(_ account: AccountNode) -> Bool
    /// Makes a waiting call.
    ///
    /// If the account is not open yet, the call is made once it is open.
    func serve(_ call: @escaping Requests.Waiting)
    /// Ends the account on this node, and deletes the account's files.
    ///
    /// The result is the path of the files that could not be deleted; nil if all were deleted.
    func leave(then: @escaping (Result<String?, LocalFailure>) -> Void)
    /// Locks the accounts that have a passphrase, once the present call was answered: the process is replaced.
    func lock()
}

/// Handles the calls of apps and commands about one account.
///
/// Each handler has the name of its call. It gets the call and a closure for the answer. A handler may throw a failure
/// instead of answering.
struct Requests {
    unowned let host: any AccountHost
    /// The account that the calls concern.
    let account: AccountNode
    let backups: Backups

    /// A call that waits until the account is open.
    ///
    /// It then gets the object that handles calls, or the failure to open the account.
    typealias Waiting = (Result<Requests, LocalFailure>) -> Void

    var core: AccountCore { account.core }
    var searches: AccountSearches { account.searches }

    /// Returns the closure that answers a call.
    ///
    /// A call that only reads may fail because another state of the account has replaced the state that it read. In
    /// this case, the call is made again.
    func answer<Call: LocalCall>(
        to call: Call, _ answer: @escaping Answer<Call.Reply>,
        again: @escaping (Call) -> Waiting
    ) -> Answer<Call.Reply> {
        guard let repeated = call.again else { return answer }
        return { [host, account] result in
            if case .failure(let failure) = result, failure.code == .storage, host.hasReplaced(account) {
                return host.serve(again(repeated))
            }
            answer(result)
        }
    }

    // MARK: Calls for other parts

    func continueActivity(_ call: ContinueActivity, _ answer: @escaping Answer<ContinuedActivity>) {
        ActivityFetch(call, in: account.fetchSources) { result in
            answer(result)
            // A client that only fetches the state confirms the continuation later. An ended activity needs no
            // confirmation.
            guard case .success(let continued) = result, call.step != .fetch || continued.source == .finished
            else { return }
            let summary = continued.summary
            account.suggested.noteOpening(
                of: summary.activity, app: summary.app, from: summary.device.identifier)
        }.begin()
    }

    func openInApp(_ call: OpenInApp, _ answer: @escaping Answer<OpenedReply>) {
        AppChoice(call.opening, among: account.registry, of: core, answer).begin()
    }

    func listRegistrations(_: ListRegistrations, _ answer: Answer<RegistrationsReply>) {
        let activities = account.activities
        answer(
            .success(
                RegistrationsReply(
                    account.registry.registrations { name in
                        activities.activity(activities.presentName(of: name.instance, of: name.app))?.changed
                    })))
    }

    func getDigest(_ call: GetDigest, _ answer: @escaping Answer<DigestReply>) {
        DigestQuestion(at: call.time, of: core, committed: account.handleCommit, answer).begin()
    }

    func writeBackup(_ call: WriteBackup, _ answer: @escaping Answer<BackupReply>) {
        backups.backUp(to: call.path, replaces: call.replaces, answer)
    }

    func restoreBackup(_ call: RestoreBackup, _ answer: @escaping Answer<BackupReply>) {
        backups.restore(call.path, isConfirmed: call.isConfirmed, answer)
    }

    func awaitBackup(_: AwaitBackup, _ answer: @escaping Answer<BackupReply>) { backups.await(answer) }

    func promoteDevice(_ call: PromoteDevice, _ answer: @escaping Answer<Promotion>) {
        core.identity.promote(call.code, by: core.membership.roster, options: core.options) {
            [names = core.names] in
            answer(
                $0.map { own, wasOwner in
                    Promotion(own, names.reference(own.device), wasOwner: wasOwner)
                })
        }
    }

    /// Leaves the account: tells the other devices, ends the account on this node, and deletes the account's files.
    func leaveAccount(_ call: LeaveAccount, _ answer: @escaping Answer<Departure>) throws(LocalFailure) {
        var departure = account.leaving.departure
        guard call.isConfirmed else { return answer(.success(departure)) }
        try account.leaving.begin { [host] told in
            departure.told = told
            host.leave { result in
                answer(
                    result.map { remains in
                        departure.remains = remains
                        return departure
                    })
            }
        }
    }

    // MARK: Indexes

    /// Changes an index.
    ///
    /// If the change is limited, it must fit into the quota of the index's app.
    static func keep(
        _ drafts: [Journal.Draft], for app: String, isLimited: Bool, in account: AccountCore,
        _ answer: @escaping Answer<IndexReply>
    ) {
        let quota = account.quota(of: app)
        let condition = isLimited ? IndexCondition(quota: quota) : nil
        account.index(drafts, condition: condition) { answer($0.indexReply(quota)) }
    }

    func countOpening(_ call: CountOpening, _ answer: @escaping Answer<IndexReply>) throws(LocalFailure) {
        // A private device never sends its openings to other devices, not even later. Therefore, they are not counted.
        guard !core.settings.isPrivate else { return answer(.success(IndexReply(passedOver: 1))) }
        let name = try core.storedName(of: call.item)
        let draft = Journal.Draft(late: .opening(name, core.credentials.device, .now))
        Self.keep([draft], for: call.item.app, isLimited: false, in: core, answer)
    }

    func countActivityOpening(_ call: CountActivityOpening, _ answer: @escaping Answer<IndexReply>) {
        guard !core.settings.isPrivate else { return answer(.success(IndexReply(passedOver: 1))) }
        account.allActivities.read { (reader) throws(StoreFailure) in
            try reader.finished(call.activity)
        } then: { [account] result in
            switch result {
            case .failure(let failure): answer(.failure(failure))
            case .success(let found):
                guard let found, let name = found.savedName else {
                    return answer(.success(IndexReply(passedOver: 1)))
                }
                let device = core.credentials.device
                account.suggested.noteOpening(of: found.activity, app: found.app, from: found.device)
                // Other devices must not learn of an activity that only this device keeps.
                guard !found.isKept else { return countKeptOpening(of: name, by: device, answer) }
                let scope = found.activity.scope(savedBy: name.app)
                let draft = Journal.Draft(late: .activityOpening(name, scope, device, .now))
                Self.keep([draft], for: name.app, isLimited: false, in: core, answer)
            }
        }
    }

    func requestReindexing(_ call: RequestReindexing, _ answer: @escaping Answer<Done>) throws(LocalFailure) {
        try ClientSession.check(call.index)
        // Identifiers of a protected index must not be kept, so the app indexes everything again.
        let extent = call.index.isProtected ? .all : call.extent
        account.reindexing.request(ReindexRequest(extent, of: call.index), answer)
    }

    // MARK: The node

    func getStatus(_: GetStatus, _ answer: Answer<NodeStatus>) {
        var status = NodeStatus(
            account: core.credentials.account,
            device: core.names.reference(core.credentials.device),
            build: Build.version, process: getpid(), listening: host.listening,
            peers: account.devices.statuses.others.filter { $0.revocation == nil && !$0.hasLeft },
            troubles: account.troubles + account.peers.differences.troubles())
        status.accountName = host.name.text
        status.discovery = host.discoveryTrouble
        let protection = core.credentials.protection
        if protection.lockedKey != nil { status.isLocked = protection.key == nil }
        status.lacksPassphrase =
            protection.lockedKey == nil
            && (account.activities.hasProtected || account.searches.view.hasProtectedItems)
        answer(.success(status))
    }
}
