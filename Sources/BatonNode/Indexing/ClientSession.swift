import BatonCore
import BatonNetwork
import BatonSecurity

/// What one connection of an app or the command has begun: batches, and what it waits for.
///
/// It ends with the connection, and what it began with it.
final class ClientSession {
    private var batches: [UInt64: AppBatch] = [:]
    /// A large change of an index that belongs to no batch of the app's, while it is staged.
    private var large: AppBatch?
    /// Where its batches are, and where it waits.
    private var account: AccountNode?
    /// What it hears of the activities that it began.
    let events = AppEvents()
    /// The search of this connection.
    private let searching = SearchWish()
    /// The connection itself, which may come to carry a stream.
    weak var connection: LocalConnection?
    /// The invitation that asks the person at this connection; it ends with the connection.
    private weak var invitation: Invitation?
    /// Whether the connection has ended.
    private(set) var isClosed = false
    /// The stream that was asked for and is not there yet.
    var opening: OpeningStream?

    /// Answers a request, at once or later.
    func handle(
        _ request: LocalRequest, by requests: Requests, _ answer: @escaping (LocalAnswer) -> Void
    ) {
        let account = requests.account
        self.account = account
        do throws(LocalFailure) {
            if try handleEvents(request, by: requests, answer) { return }
            switch request {
            case .invite(let asksPerson):
                let invitation = try requests.invite(asksPerson: asksPerson)
                // Nobody else would answer for the person, and the joiner would wait until the invitation expires.
                if asksPerson { self.invitation = invitation }
                answer(
                    .invitation(
                        code: invitation.code.text, expires: invitation.expires,
                        addresses: requests.addresses))
            case .start(let start): try requests.start(start, by: self, answer)
            case .index(let request): try index(request, in: account, answer)
            case .endBatch(let ending): try end(ending, in: account, answer)
            case .discardBatch(let index, let number):
                if let batch = try batch(number, of: index) { discard(batch) }
                batches[number] = nil
                answer(.indexed(passedOver: 0))
            case .opened(let item):
                // What the person does here is told nobody, and told later neither.
                guard !account.settings.isPrivate else { return answer(.indexed(passedOver: 1)) }
                let draft = Journal.Draft(late: .opening(item, account.credentials.device, .now))
                Self.keep([draft], for: item.app, isLimited: false, in: account, answer)
            case .search(let text, let most): requests.search(text, most: most, for: searching, answer)
            case .awaitReindexing(let index): account.reindexing.await(index, by: self, answer)
            default: requests.handle(request, answer)
            }
        } catch {
            answer(.failure(error))
        }
    }

    /// The connection has ended.
    func close() {
        isClosed = true
        for (_, batch) in batches.sorted(by: { $0.key < $1.key }) { discard(batch) }
        if let large { discard(large) }
        (batches, large) = ([:], nil)
        searching.end()
        account?.reindexing.forget(self)
        account?.activities.handleEnd(of: self)
        account?.watching.forget(self)
        account?.registry.forget(events)
        account?.streams.forget(events)
        events.end()
        opening?.cancel()
        invitation?.handlePersonGone()
    }

    /// Ends everything that it began, because the account is not there any more.
    func abandon(_ failure: LocalFailure) {
        for wait in takeBack(losing: failure) { wait.answer(.failure(failure)) }
        events.end(failure)
    }

    /// Another state takes the place of the one that it works on: its batches are lost, as they were begun on that one,
    /// and what it waits for is asked of the other state.
    func takeBack(losing failure: LocalFailure) -> [Wait] {
        for number in batches.keys { batches[number]?.failure = failure }
        large?.failure = failure
        guard let account = account.take() else { return [] }
        account.registry.forget(events)
        account.streams.forget(events)
        return account.reindexing.takeBack(self) + account.watching.takeBack(self)
    }

    /// Goes on with another state; batches and waits begun before are carried over.
    func goOn(with account: AccountNode) { self.account = account }

    /// Something that it asked and that is answered when something happens.
    typealias Wait = (request: LocalRequest, answer: (LocalAnswer) -> Void)

    // MARK: Changes

    private func index(
        _ request: ChangeIndex, in account: AccountNode, _ answer: @escaping (LocalAnswer) -> Void
    ) throws(LocalFailure) {
        try Self.check(request.index)
        let app = request.index.app
        guard let number = request.batch else {
            guard request.byteCount > Limits.indexPortionBytes else {
                let drafts = try IndexDrafts(request.index, at: .now).drafts(request.changes)
                return Self.keep(drafts, for: app, isLimited: true, in: account, answer)
            }
            large = AppBatch(request.index, account.newBatch())
            let quota = account.quota(of: app)
            return take(ChangeIndex.ChangeReader(request), of: request.index, into: nil, in: account) {
                [self] in
                guard let batch = large.take() else { return answer(.failure(Self.ended)) }
                if case .failure = $0 {
                    discard(batch)
                    return answer($0)
                }
                end(batch, with: nil, IndexCondition(quota: quota), quota, in: account, answer)
            }
        }
        if try batch(number, of: request.index) == nil {
            batches[number] = try begin(number, request.index, in: account)
        }
        take(ChangeIndex.ChangeReader(request), of: request.index, into: number, in: account, answer)
    }

    /// Takes changes into a batch, or into the large change without a number, portion by portion: the next one is read
    /// when the one before is with the store.
    private func take(
        _ changes: ChangeIndex.ChangeReader, of index: ClientStateName, into number: UInt64?,
        in account: AccountNode, _ answer: @escaping (LocalAnswer) -> Void
    ) {
        var changes = changes
        do throws(LocalFailure) {
            while !changes.isAtEnd {
                guard var batch = number.map({ batches[$0] }) ?? large else { throw Self.ended }
                if let failure = batch.failure { throw failure }
                let portion = changes.next(upTo: Limits.indexPortionBytes)
                let staged = try batch.append(try IndexDrafts(index, at: .now).drafts(portion))
                if let number { batches[number] = batch } else { large = batch }
                guard !staged.isEmpty else { continue }
                let rest = changes
                return stage(staged, in: batch.identifier, account) { [self] failure in
                    guard let failure else { return take(rest, of: index, into: number, in: account, answer) }
                    if let number, batches[number]?.identifier == batch.identifier {
                        batches[number]?.failure = failure
                    }
                    answer(.failure(failure))
                }
            }
            answer(.indexed(passedOver: 0))
        } catch {
            answer(.failure(error))
        }
    }

    /// The batch is no more.
    private static var ended: LocalFailure {
        LocalFailure(.failed, "The batch ended before all of its changes were taken. Begin it anew.")
    }

    private static func check(_ index: ClientStateName) throws(LocalFailure) {
        guard !index.app.isEmpty else {
            throw LocalFailure(.usage, "An index belongs to an app, such as `org.example.notes`.")
        }
    }

    private static func keep(
        _ drafts: [Journal.Draft], for app: String, isLimited: Bool, in account: AccountNode,
        _ answer: @escaping (LocalAnswer) -> Void
    ) {
        let quota = account.quota(of: app)
        let condition = isLimited ? IndexCondition(quota: quota) : nil
        account.index(drafts, condition: condition) { answer(LocalAnswer($0, quota)) }
    }

    // MARK: Batches

    /// The batch of that number, if it was begun.
    private func batch(_ number: UInt64, of index: ClientStateName) throws(LocalFailure) -> AppBatch? {
        guard let batch = batches[number] else { return nil }
        guard batch.index == index else {
            throw LocalFailure(.usage, "Batch \(number) was begun for another index.")
        }
        return batch
    }

    private func begin(
        _ number: UInt64, _ index: ClientStateName, in account: AccountNode
    ) throws(LocalFailure) -> AppBatch {
        guard batches.count < Limits.openBatches else {
            throw LocalFailure(
                .tooLarge, "One connection may have \(Limits.openBatches) batches. End one of them first.")
        }
        return AppBatch(index, account.newBatch())
    }

    /// Gives drafts to the store; tells what went wrong, if something did.
    private func stage(
        _ drafts: [Journal.Draft], in identifier: BatchIdentifier, _ account: AccountNode,
        then: @escaping (LocalFailure?) -> Void
    ) {
        account.store.submit(to: .index) { (store) throws(StoreFailure) in
            try store.stage(drafts, in: identifier)
        } then: { result in
            switch result {
            case .success: then(nil)
            case .failure(let failure):
                then(
                    LocalFailure(
                        .storage, "It was not kept: \(failure). The batch can't end any more; begin it anew.")
                )
            }
        }
    }

    private func end(
        _ ending: EndBatch, in account: AccountNode, _ answer: @escaping (LocalAnswer) -> Void
    ) throws(LocalFailure) {
        try Self.check(ending.index)
        let batch = try batch(ending.batch, of: ending.index) ?? AppBatch(ending.index, account.newBatch())
        let state = try ending.draft(at: .now)
        batches[ending.batch] = nil
        if let failure = batch.failure {
            discard(batch)
            throw failure
        }
        let quota = account.quota(of: ending.index.app)
        let condition = IndexCondition(
            state: ending.isConditional ? .init(ending.index, is: ending.expected) : nil, quota: quota)
        end(batch, with: state, condition, quota, in: account, answer)
    }

    private func end(
        _ batch: AppBatch, with state: Journal.Draft?, _ condition: IndexCondition, _ quota: Quota,
        in account: AccountNode, _ answer: @escaping (LocalAnswer) -> Void
    ) {
        guard batch.isStaged else {
            let drafts = batch.drafts + (state.map { [$0] } ?? [])
            return account.index(drafts, condition: condition, durably: true) {
                answer(LocalAnswer($0, quota))
            }
        }
        var batch = batch
        let (rest, identifier) = (batch.takeDrafts(), batch.identifier)
        if !rest.isEmpty {
            account.store.submit(to: .index) { (store) throws(StoreFailure) in
                try store.stage(rest, in: identifier)
            } then: { [log = account.log] result in
                // Who ends the batch hears that not all of it is there.
                if case .failure(let failure) = result { log.warn("a batch was not kept: \(failure)") }
            }
        }
        account.end(identifier, count: batch.stagedCount, with: state, condition: condition) {
            answer(LocalAnswer($0, quota))
        }
    }

    private func discard(_ batch: AppBatch) {
        guard batch.isStaged, let account else { return }
        account.store.submit(to: .index) { [identifier = batch.identifier] (store) throws(StoreFailure) in
            try store.discard(identifier)
        } then: { [account] result in
            if case .failure(let failure) = result {
                account.log.warn("a batch could not be forgotten: \(failure)")
            }
            account.settle(.index)
        }
    }
}

extension EndBatch {
    /// The client state as it is to be written, if there is one.
    fileprivate func draft(at now: WallTime) throws(LocalFailure) -> Journal.Draft? {
        guard let state else { return nil }
        do throws(ClientState.TooLong) {
            return try Journal.Draft(ending: state, of: index, changed: now)
        } catch {
            throw LocalFailure(
                .tooLarge,
                "A client state may have \(ClientState.bytesMost) bytes, and this one has \(error.count).")
        }
    }
}

extension LocalAnswer {
    /// What became of changes to an index.
    fileprivate init(_ result: Result<StoreCommit, StoreFailure>, _ quota: Quota) {
        switch result {
        case .failure(let failure):
            self = .failure(LocalFailure(.storage, "It was not kept: \(failure). Nothing has changed."))
        case .success(let commit):
            switch commit.refusal {
            case nil where !commit.outranked.isEmpty: self = .failure(.outranked(commit.outranked))
            case nil: self = .indexed(passedOver: commit.passedOver)
            case .otherState:
                self = .failure(
                    LocalFailure(
                        .otherState,
                        "The client state is another one than was expected. Fetch it, and go on from there."))
            case .quota(let items, let bytes):
                self = .failure(
                    LocalFailure(
                        .quota,
                        """
                        The app would have \(items) items of \(bytes) bytes, and may have \(quota.items) of \
                        \(quota.bytes). Delete what is not needed first.
                        """))
            }
        }
    }
}

extension LocalFailure {
    /// Changes to an index that do not count, and what an app can do.
    fileprivate static func outranked(_ records: [RecordIdentity]) -> LocalFailure {
        let isAll = records.contains { $0.kind.isClear || $0.kind == .clientState }
        let count = records.count == 1 ? "1 change does" : "\(records.count) changes do"
        return LocalFailure(
            .failed,
            """
            \(count) not count: \(StoreFailure.outranked). Whatever else was asked for is done.
            Nothing that is written there counts any more. Use another \(isAll ? "index" : "identifier, or another index").
            """)
    }
}
