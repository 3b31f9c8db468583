import BatonCore
import BatonNetwork
import BatonSecurity
import BatonStore
import Glibc

/// Handles the calls of apps and commands about one account.
///
/// A handler is a method `handle` that takes a call and a closure for the answer; it may throw instead of answering.
struct Requests {
    /// The account that the calls concern.
    unowned let served: ServedAccount
    let account: AccountNode
    let search: SearchThread
    /// Tells watchers of searches about changes of the results.
    let searchWatchers: SearchWatchers
    /// The searches whose results come in pages.
    let pagedSearches: PagedSearches
    /// Knows what texts mean, if a program says so.
    let meaning: Meaning
    let backups: Backups
    /// Tries addresses for a person who asks why a device can't be reached.
    let probes: Probes
    let log: Log

    init(of served: ServedAccount, account: AccountNode, search: SearchThread, backups: Backups) {
        (self.served, self.account, self.search, self.backups) = (served, account, search, backups)
        log = served.log
        let surroundings = served.surroundings
        probes = Probes(
            of: account, resolver: surroundings.resolver, isOwn: surroundings.isOwn,
            links: surroundings.links)
        weak var learner: SearchWatchers?
        let meaning = Meaning(search, in: account) { learner?.noteChange() }
        self.meaning = meaning
        let watchers = SearchWatchers(on: account.loop, limits: account.limits) {
            [search, unowned account, unowned meaning] (call, wish, answer) in
            meaning.find(call.text) { vector in
                guard !wish.hasEnded else {
                    return answer(.failure(LocalFailure(.failed, "The search was ended.")))
                }
                var scope = Self.searchScope(of: account, call.filter)
                scope.meaning = vector
                search.find(call.text, most: call.most, in: scope, for: wish) { result in
                    let expiration =
                        if case .success(let finding) = result { finding.expiration } else { WallTime?.none }
                    answer(
                        Self.reply(to: result, in: account).map {
                            SearchWatchers.Results(reply: $0, expiration: expiration)
                        })
                }
            }
        }
        (searchWatchers, learner) = (watchers, watchers)
        let pages = PagedSearches(
            search, on: account.loop, limits: account.limits,
            scope: { [unowned account] in Self.searchScope(of: account, $0) },
            meaning: { [unowned meaning] in meaning.find($0, then: $1) },
            result: { [unowned account] in Self.result($0, in: account) },
            awaitsItems: { [unowned account] in account.awaitsItems() })
        pagedSearches = pages
        account.searchedChanged = { [unowned watchers, unowned meaning] in
            watchers.noteChange()
            meaning.noteChange()
        }
        account.stopping = { [probes, watchers, pages, meaning] in
            probes.stop()
            watchers.close()
            pages.close()
            meaning.close()
        }
    }

    /// Returns the closure that answers a call: one that only reads is made again if it failed because another state of the
    /// account has replaced the one that it was to read.
    func answer<Call: LocalCall>(
        to call: Call, _ answer: @escaping Answer<Call.Reply>,
        again: @escaping (Call) -> ServedAccount.Waiting
    ) -> Answer<Call.Reply> {
        guard let repeated = call.again else { return answer }
        return { [served, account] result in
            if case .failure(let failure) = result, failure.code == .storage,
                served.account !== account, served.isServedOrOpening
            {
                return served.serve(again(repeated))
            }
            answer(result)
        }
    }

    // MARK: Calls for other parts

    func handle(_ call: ContinueActivity, _ answer: @escaping Answer<ContinuedActivity>) {
        ActivityFetch(call, on: account) { result in
            answer(result)
            // A client that fetches the state confirms it later, but for what has ended.
            guard case .success(let continued) = result, call.step != .fetch || continued.source == .finished
            else { return }
            let summary = continued.summary
            account.suggested.noteOpening(
                of: summary.activity, app: summary.app, from: summary.device.identifier)
        }.begin()
    }

    func handle(_ call: OpenInApp, _ answer: @escaping Answer<OpenedReply>) {
        AppChoice(call.opening, on: account, answer).begin()
    }

    func handle(_: ListRegistrations, _ answer: Answer<RegistrationsReply>) {
        let activities = account.activities
        answer(
            .success(
                RegistrationsReply(
                    account.registry.registrations { name in
                        activities.activity(activities.presentName(of: name.instance, of: name.app))?.changed
                    })))
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
        let (roster, options) = (account.membership.roster, account.options)
        account.identity.promote(call.code, by: roster, options: options) { [devices = account.devices] in
            answer(
                $0.map { own, wasOwner in
                    Promotion(own, devices.reference(own.device), wasOwner: wasOwner)
                })
        }
    }

    func handle(_ call: LeaveAccount, _ answer: @escaping Answer<Departure>) {
        if call.isConfirmed {
            account.leaving.leave(then: answer)
        } else {
            answer(.success(account.leaving.departure))
        }
    }

    // MARK: Indexes

    /// Changes an index, within the quota of its app if the change is limited.
    static func keep(
        _ drafts: [Journal.Draft], for app: String, isLimited: Bool, in account: AccountNode,
        _ answer: @escaping Answer<IndexReply>
    ) {
        let quota = account.quota(of: app)
        let condition = isLimited ? IndexCondition(quota: quota) : nil
        account.index(drafts, condition: condition) { answer($0.indexReply(quota)) }
    }

    func handle(_ call: CountOpening, _ answer: @escaping Answer<IndexReply>) {
        // A private device never sends its openings to other devices, not even later.
        guard !account.settings.isPrivate else { return answer(.success(IndexReply(passedOver: 1))) }
        let draft = Journal.Draft(late: .opening(call.item, account.credentials.device, .now))
        Self.keep([draft], for: call.item.app, isLimited: false, in: account, answer)
    }

    func handle(_ call: CountActivityOpening, _ answer: @escaping Answer<IndexReply>) {
        guard !account.settings.isPrivate else { return answer(.success(IndexReply(passedOver: 1))) }
        account.allActivities.read { (reader) throws(StoreFailure) in
            try reader.finished(call.activity)
        } then: { [account] result in
            switch result {
            case .failure(let failure): answer(.failure(failure))
            case .success(let found):
                guard let found, let name = found.savedName else {
                    return answer(.success(IndexReply(passedOver: 1)))
                }
                let device = account.credentials.device
                account.suggested.noteOpening(of: found.activity, app: found.app, from: found.device)
                // Other devices learn nothing of what only this one keeps.
                guard !found.isKept else { return countKeptOpening(of: name, by: device, answer) }
                let scope = found.activity.scope(savedBy: name.app)
                let draft = Journal.Draft(late: .activityOpening(name, scope, device, .now))
                Self.keep([draft], for: name.app, isLimited: false, in: account, answer)
            }
        }
    }

    func handle(_ call: RequestReindexing, _ answer: @escaping Answer<Done>) throws(LocalFailure) {
        try ClientSession.check(call.index)
        account.reindexing.request(ReindexRequest(call.extent, of: call.index), answer)
    }

    // MARK: The node

    func handle(_: GetStatus, _ answer: Answer<NodeStatus>) {
        var status = NodeStatus(
            account: account.credentials.account,
            device: account.devices.reference(account.credentials.device),
            build: Build.version, process: getpid(), listening: served.surroundings.listening,
            peers: account.devices.statuses.others.filter { $0.revocation == nil && !$0.hasLeft },
            troubles: AccountTroubles(of: account).texts + account.peers.differences.troubles())
        (status.accountName, status.discovery) = (served.name.text, served.discoveryTrouble)
        answer(.success(status))
    }
}
