import BatonCore

/// The types of entities that apps of the account index: reads and changes their descriptions.
///
/// Descriptions are in the index lane, so a private device holds them back as it does with the items of its apps. They
/// seldom change, so nothing is kept in memory, and each answer reads the records. The object belongs to the loop's
/// thread.
final class EntityDescriptions {
    private let account: AccountCore
    /// The changes that are still to be made; the first one is being made.
    private var changes: [Change] = []

    init(of account: AccountCore) { self.account = account }

    // MARK: Reading

    /// Reads the descriptions of the apps that searches show.
    func list(_ answer: @escaping Answer<EntityTypesReply>) {
        let (hidden, now) = (account.settings.apps(off: .search), WallTime.now)
        account.store.read(from: .index) { (store) throws(StoreFailure) in
            var (types, bytes): ([EntityTypeDescription], Int) = ([], 0)
            // The descriptions are kept here, and not their records.
            _ = try store.records(of: .entityType) { record in
                guard types.count < Limits.listedEntityTypes, !record.isExpired(at: now),
                    let type = EntityTypeDescription(record), !hidden.contains(type.name.app)
                else { return false }
                let size = type.fields.encodedCount
                guard size <= Limits.entityTypeBytes, bytes + size <= Limits.listedEntityTypesBytes else {
                    return false
                }
                bytes += size
                types.append(type)
                return false
            }
            return types.sorted { $0.name.key.name.lexicographicallyPrecedes($1.name.key.name) }
        } then: { result in
            answer(result.map { EntityTypesReply($0) }.mapError { Self.unreadable($0) })
        }
    }

    private static func unreadable(_ failure: StoreFailure) -> LocalFailure {
        LocalFailure(.storage, "Could not read the types of entities: \(failure).")
    }

    // MARK: Changes

    /// Describes types of an app; those that are described in the same way already are not written.
    func describe(
        _ types: [EntityTypeDescription], _ answer: @escaping Answer<Done>
    ) throws(LocalFailure) {
        guard let app = types.first?.name.app else { return answer(.success(Done())) }
        let names = Set(types.map(\.name))
        guard names.count == types.count, names.allSatisfy({ $0.app.utf8.elementsEqual(app.utf8) }),
            names.allSatisfy({ !$0.app.isEmpty && !$0.type.isEmpty })
        else {
            throw LocalFailure(
                .usage, "A call must describe types of one app, each with a name, and each once.")
        }
        let drafts = types.map { Journal.Draft(.full($0.content), $0.name.key) }
        guard types.count <= Limits.appEntityTypes, types.allSatisfy(\.isAllowed),
            drafts.allSatisfy(\.isWithinLimits)
        else { throw .entityTypesTooLarge }
        begin(Change(of: app, .description(types), answer))
    }

    /// Deletes all descriptions of an app.
    func forget(_ app: String, _ answer: @escaping Answer<Done>) throws(LocalFailure) {
        guard !app.isEmpty, Scope.entityTypes(app: app).encoded.count <= Scope.bytesMost else {
            throw LocalFailure(.usage, "No app can have the name “\(app)”.")
        }
        begin(Change(of: app, .removal, answer))
    }

    /// A change of the descriptions of an app.
    private struct Change {
        let app: String
        let kind: Kind
        let answer: Answer<Done>

        enum Kind: Sendable {
            case description([EntityTypeDescription])
            case removal
        }

        init(of app: String, _ kind: Kind, _ answer: @escaping Answer<Done>) {
            (self.app, self.kind, self.answer) = (app, kind, answer)
        }
    }

    /// Makes the change once all earlier ones are made, so that none is compared with descriptions that another change
    /// is about to replace.
    private func begin(_ change: Change) {
        changes.append(change)
        if changes.count == 1 { makeNextChange() }
    }

    private func makeNextChange() {
        guard let change = changes.first else { return }
        account.store.read(from: .index) {
            [app = change.app, kind = change.kind] (store) throws(StoreFailure) in
            try Self.drafts(kind, of: app, in: store)
        } then: { [self] result in
            switch result {
            case .failure(let failure): end(change, .failure(Self.unreadable(failure)))
            case .success(nil): end(change, .failure(.entityTypesTooLarge))
            case .success(let drafts?) where drafts.isEmpty: end(change, .success(Done()))
            case .success(let drafts?): write(drafts, for: change)
            }
        }
    }

    /// Returns the drafts of a change, none if it changes nothing; nil if the app would have too many types.
    private static func drafts(
        _ kind: Change.Kind, of app: String, in store: any LaneStore
    ) throws(StoreFailure) -> [Journal.Draft]? {
        var count = 0
        _ = try store.records(of: .entityType) { record in
            if EntityTypeDescription(record)?.name.app.utf8.elementsEqual(app.utf8) ?? false { count += 1 }
            return false
        }
        guard case .description(let types) = kind else {
            // One clear also ends descriptions that arrive later from a device that was away.
            let clear = Scope.entityTypes(app: app).clearKey(in: .index)
            return count == 0 ? [] : [Journal.Draft(.full(Write.Content(fields: Fields())), clear)]
        }
        var drafts: [Journal.Draft] = []
        for type in types {
            let known = try store.record(type.name.key.identity).flatMap { EntityTypeDescription($0) }
            if known == nil { count += 1 }
            if known != type { drafts.append(Journal.Draft(.full(type.content), type.name.key)) }
        }
        return count <= Limits.appEntityTypes ? drafts : nil
    }

    private func write(_ drafts: [Journal.Draft], for change: Change) {
        account.index(drafts, condition: nil) { [self] result in
            let failure: StoreFailure? =
                switch result {
                case .success(let commit): commit.outranked.isEmpty ? nil : .outranked
                case .failure(let failure): failure
                }
            end(
                change,
                failure.map {
                    .failure(LocalFailure(saving: "the types of entities", $0, "Nothing has changed."))
                } ?? .success(Done()))
        }
    }

    /// Answers the change that was made, and makes the next one.
    private func end(_ change: Change, _ result: Result<Done, LocalFailure>) {
        changes.removeFirst()
        change.answer(result)
        makeNextChange()
    }
}
