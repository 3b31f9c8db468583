import BatonCore
import BatonSecurity

/// What apps and commands do with the activities of this device.
extension Requests {
    /// Makes an activity the current one of its instance, as that connection asks.
    func start(
        _ start: StartActivity, by session: ClientSession, _ answer: @escaping (LocalAnswer) -> Void
    ) throws(LocalFailure) {
        let name = ActivityName(device: account.credentials.device, app: start.app, instance: start.instance)
        guard !start.type.isEmpty else {
            throw LocalFailure(.usage, "An activity needs a type, such as `org.example.edit`.")
        }
        var activity = Activity(type: start.type, started: .now)
        start.change.apply(to: &activity)
        try check(activity, name)
        account.activities.start(name, activity, lifetime: start.lifetime, by: session) { failure in
            tell(failure, name, activity, answer)
        }
    }

    func update(
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

    func resign(_ target: ActivityTarget, _ answer: @escaping (LocalAnswer) -> Void) throws(LocalFailure) {
        let (name, activity) = try account.activities.find(target)
        let isPrivate = !account.activities.isShared(name)
        account.activities.resign(name) { failure in
            tell(failure, name, activity, isPrivate: isPrivate, answer)
        }
    }

    func finish(_ target: ActivityTarget, _ answer: @escaping (LocalAnswer) -> Void) throws(LocalFailure) {
        var (name, activity) = try account.activities.find(target)
        let isPrivate = !account.activities.isShared(name)
        activity.finished = .now
        account.activities.finish(name, as: .finished) { [activity, name] failure in
            tell(failure, name, activity, isPrivate: isPrivate, answer)
        }
    }

    /// Deletes what an app saved on all devices, and ends what it calls so here; all that it saved without identifiers.
    ///
    /// What is not here is deleted, too: another device may have it, and not have told yet.
    func deleteSaved(
        _ app: String, _ identifiers: [String]?, _ answer: @escaping (LocalAnswer) -> Void
    ) {
        guard let identifiers = identifiers.map(Set.init) else {
            let scope = Scope.activities(app: app)
            // A larger one would be kept, and clear nothing.
            guard scope.encoded.count <= Scope.bytesMost else { return answer(.failure(.activityTooLarge)) }
            let clear = Journal.Draft(.full(Write.Content(fields: Fields())), scope.clearKey(in: .activities))
            return account.activities.deleteAll(of: app, by: clear) { tell($0, answer) }
        }
        let drafts = identifiers.map {
            Journal.Draft(.deletion, SavedActivityName(app: app, identifier: $0).key)
        }.filter(\.isWithinLimits).sorted { $0.key.name.lexicographicallyPrecedes($1.key.name) }
        guard !drafts.isEmpty else { return answer(.done) }
        account.activities.delete(identifiers, of: app, by: drafts) { tell($0, answer) }
    }

    func check(_ activity: Activity, _ name: ActivityName) throws(LocalFailure) {
        let bytes = activity.fields.encodedCount
        guard bytes <= Limits.activityBytes,
            name.key.name.count <= RecordKey.nameBytes,
            SavedActivityName.hasRoom(for: name.app)
        else {
            throw .activityTooLarge
        }
        if let identifier = activity.persistentIdentifier,
            !SavedActivityName(app: name.app, identifier: identifier).hasRoom
        {
            throw LocalFailure(
                .tooLarge,
                "The persistent identifier of the activity is too long: with the app's name it may have about \(RecordKey.nameBytes) bytes."
            )
        }
        do throws(PropertyLimitError) {
            try PropertyLimits.payload.check(.dictionary(activity.info))
        } catch {
            throw LocalFailure(.tooLarge, "The payload of the activity is too large. \(error)")
        }
        // Last, because it counts what is about to begin.
        guard account.activities.makeRoom(for: name, bytes: bytes) else { throw .tooManyActivities }
    }

    private func tell(
        _ failure: StoreFailure?, _ name: ActivityName, _ activity: Activity, isPrivate: Bool? = nil,
        _ answer: (LocalAnswer) -> Void
    ) {
        if let failure { return answer(.failure(.notKept(failure))) }
        let name = account.activities.present(name)
        var summary = account.summary(ListedActivity(name, activity))
        summary.isPrivate = isPrivate ?? !account.activities.isShared(name)
        answer(.activity(summary))
    }

    private func tell(_ failure: StoreFailure?, _ answer: (LocalAnswer) -> Void) {
        answer(failure.map { .failure(.notKept($0)) } ?? .done)
    }
}

extension LocalFailure {
    /// The disk failed, and what was asked for did not happen here; who was told of it ahead of the disk brings it back.
    fileprivate static func notKept(_ failure: StoreFailure) -> LocalFailure {
        if failure.code == .outranked { return .outranked }
        return LocalFailure(
            .storage,
            "It was not kept: \(failure). It holds all the same if another machine has seen it by now.")
    }

    /// The change does not count, here or elsewhere.
    static var outranked: LocalFailure {
        LocalFailure(
            .failed,
            """
            It does not count: \(StoreFailure.outranked), and nothing can be written there any more.
            `baton forget ID` hides an activity on this machine.
            """)
    }
}
