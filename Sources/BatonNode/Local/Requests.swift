import BatonCore
import BatonNetwork
import BatonSecurity
import Glibc

/// Answers what apps and commands ask, by calling what the account's node can do.
struct Requests {
    /// The account of which they ask.
    unowned let served: ServedAccount
    let account: AccountNode
    let search: SearchThread
    let backups: Backups
    let log: Log

    init(of served: ServedAccount, account: AccountNode, search: SearchThread, backups: Backups) {
        (self.served, self.account, self.search, self.backups) = (served, account, search, backups)
        log = served.log
    }

    func handle(_ request: LocalRequest, _ answer: @escaping (LocalAnswer) -> Void) {
        do throws(LocalFailure) {
            switch request {
            case .update(let target, let change): try update(target, change, answer)
            case .finish(let target): try finish(target, answer)
            case .resign(let target): try resign(target, answer)
            case .deleteSaved(let app, let identifiers): deleteSaved(app, identifiers, answer)
            case .list(let listing): list(listing, answer)
            case .continueActivity(let call): ActivityFetch(call, on: account, answer).begin()
            case .forget(let text, let everywhere): forget(text, everywhere: everywhere, answer)
            case .unforget(let text): unforget(text, answer)
            case .send(let target, let device): try send(target, to: device, answer)
            case .registrations: answer(.registrations(account.registry.registrations))
            case .status: answer(.status(status))
            case .digest(let time): DigestQuestion(at: time, of: account, answer).begin()
            case .settings: answer(.settings(account.settings))
            case .set(let name, let value): try set(name, to: value, answer)
            case .devices: tell(account.deviceStatus, answer)
            case .cancelInvitation: answer(try cancelInvitation())
            case .awaitInvitation(let code, let isJoinerKnown):
                account.reception.awaitInvitation(code, isJoinerKnown: isJoinerKnown, answer)
            case .answerJoiner(let code, let letIn):
                account.reception.answerJoiner(code, letIn: letIn, answer)
            case .clientState(let index): clientState(index, answer)
            case .acknowledgeReindexing(let index, let extent):
                account.reindexing.acknowledge(ReindexRequest(extent, of: index), answer)
            case .invite, .start, .search, .index, .endBatch, .discardBatch, .opened, .awaitReindexing,
                .watch,
                .register,
                .awaitEvent, .saved, .openStream, .acceptStream:
                preconditionFailure("what a connection begins is the connection's")
            case .accounts: preconditionFailure("of all accounts the node is asked")
            case .backup(let path, let replaces): backups.backUp(to: path, replaces: replaces, answer)
            case .restore(let path, let isConfirmed):
                backups.restore(path, isConfirmed: isConfirmed, answer)
            case .awaitBackup: backups.await(answer)
            case .revoke(let device, let isConfirmed):
                try revoke(device, isConfirmed: isConfirmed, answer)
            case .remove(let device): try remove(device, answer)
            case .rename(let device, let name): try rename(device, to: name, answer)
            case .setAddresses(let device, let addresses):
                try setAddresses(of: device, to: addresses, answer)
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

    private var status: NodeStatus {
        var status = NodeStatus(
            account: account.credentials.account, device: account.reference(account.credentials.device),
            build: Build.version, process: getpid(), listening: served.surroundings.listening,
            peers: account.deviceStatus.others.filter { $0.revocation == nil && !$0.hasLeft },
            troubles: account.troubles + account.peers.differences.troubles())
        status.accountName = served.name.text
        return status
    }
}
