import BatonCore
import BatonNetwork
import BatonSecurity
import Glibc

/// Answers the calls of apps and commands that are about one account.
///
/// A handler is a method `handle` that takes a call and a closure for the answer; it may throw instead of answering.
struct Requests {
    /// The account that the calls are about.
    unowned let served: ServedAccount
    let account: AccountNode
    let search: SearchThread
    let backups: Backups
    let log: Log

    init(of served: ServedAccount, account: AccountNode, search: SearchThread, backups: Backups) {
        (self.served, self.account, self.search, self.backups) = (served, account, search, backups)
        log = served.log
    }

    // MARK: Calls that others carry out

    func handle(_ call: ContinueActivity, _ answer: @escaping Answer<ContinuedActivity>) {
        ActivityFetch(call, on: account, answer).begin()
    }

    func handle(_: ListRegistrations, _ answer: Answer<RegistrationsReply>) {
        answer(.success(RegistrationsReply(account.registry.registrations)))
    }

    func handle(_ call: GetDigest, _ answer: @escaping Answer<DigestReply>) {
        DigestQuestion(at: call.time, of: account, answer).begin()
    }

    func handle(_ call: WriteBackup, _ answer: @escaping Answer<BackupReply>) {
        backups.backUp(to: call.path, replaces: call.replaces, answer)
    }

    func handle(_ call: RestoreBackup, _ answer: @escaping Answer<BackupReply>) {
        backups.restore(call.path, isConfirmed: call.isConfirmed, answer)
    }

    func handle(_: AwaitBackup, _ answer: @escaping Answer<BackupReply>) { backups.await(answer) }

    func handle(_ call: PromoteDevice, _ answer: @escaping Answer<Promotion>) {
        account.promote(call.code, then: answer)
    }

    func handle(_ call: LeaveAccount, _ answer: @escaping Answer<Departure>) {
        if call.isConfirmed { account.leave(then: answer) } else { answer(.success(account.departure)) }
    }

    // MARK: Indexes

    /// Changes an index, within what its app may have if that is limited.
    static func keep(
        _ drafts: [Journal.Draft], for app: String, isLimited: Bool, in account: AccountNode,
        _ answer: @escaping Answer<IndexReply>
    ) {
        let quota = account.quota(of: app)
        let condition = isLimited ? IndexCondition(quota: quota) : nil
        account.index(drafts, condition: condition) { answer($0.indexReply(quota)) }
    }

    func handle(_ call: GetClientState, _ answer: @escaping Answer<ClientStateReply>) {
        account.store.submit(to: .index) { [index = call.index] (store) throws(StoreFailure) in
            try store.shownState(of: index)?.state.state
        } then: { result in
            answer(
                result.map(ClientStateReply.init).mapError {
                    LocalFailure(.storage, "The client state could not be read: \($0).")
                })
        }
    }

    func handle(_ call: CountOpening, _ answer: @escaping Answer<IndexReply>) {
        // An opening on a private device is told to no other device, also not later.
        guard !account.settings.isPrivate else { return answer(.success(IndexReply(passedOver: 1))) }
        let draft = Journal.Draft(late: .opening(call.item, account.credentials.device, .now))
        Self.keep([draft], for: call.item.app, isLimited: false, in: account, answer)
    }

    func handle(_ call: AcknowledgeReindexing, _ answer: @escaping Answer<IndexReply>) {
        account.reindexing.acknowledge(ReindexRequest(call.extent, of: call.index), answer)
    }

    // MARK: The node

    func handle(_: GetStatus, _ answer: Answer<NodeStatus>) {
        var status = NodeStatus(
            account: account.credentials.account, device: account.reference(account.credentials.device),
            build: Build.version, process: getpid(), listening: served.surroundings.listening,
            peers: account.deviceStatus.others.filter { $0.revocation == nil && !$0.hasLeft },
            troubles: account.troubles + account.peers.differences.troubles())
        status.accountName = served.name.text
        answer(.success(status))
    }
}
