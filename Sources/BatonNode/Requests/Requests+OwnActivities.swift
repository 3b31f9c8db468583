import BatonCore
import BatonSecurity

/// Handles calls about the activities of this device.
extension Requests {
    /// Makes an activity the current activity of its app instance.
    ///
    /// `app` is the connection that began the activity.
    func start(
        _ start: StartActivity, by app: AppEvents, _ answer: @escaping Answer<ActivitySummary>
    ) throws(LocalFailure) {
        let name = ActivityName(device: core.credentials.device, app: start.app, instance: start.instance)
        guard !start.type.isEmpty else {
            throw LocalFailure(.usage, "An activity needs a type, such as `org.example.edit`.")
        }
        var activity = Activity(type: start.type, started: .now)
        start.change.apply(to: &activity)
        activity = try sealWithinLimits(activity, name, isProtected: start.change.protects(false))
        account.activities.start(name, activity, lifetime: start.lifetime, by: app) { failure in
            tell(failure, name, activity, answer)
            noteUse(of: activity, name, hasBegun: true)
        }
    }

    func updateActivity(
        _ call: UpdateActivity, _ answer: @escaping Answer<ActivitySummary>
    ) throws(LocalFailure) {
        let (name, before) = try account.activities.find(call.target)
        let activity = try applying(call.change, to: before, name)
        account.activities.update(name, activity) { failure in
            tell(failure, name, activity, answer)
            noteUse(of: activity, name, hasBegun: false)
        }
    }

    func resignActivity(
        _ call: ResignActivity, _ answer: @escaping Answer<ActivitySummary>
    ) throws(LocalFailure) {
        let (name, activity) = try account.activities.find(call.target)
        let isPrivate = !account.activities.isShared(name)
        account.activities.resign(name) { failure in
            tell(failure, name, activity, isPrivate: isPrivate, answer)
        }
    }

    func finishActivity(
        _ call: FinishActivity, _ answer: @escaping Answer<ActivitySummary>
    ) throws(LocalFailure) {
        var (name, activity) = try account.activities.find(call.target)
        let isPrivate = !account.activities.isShared(name)
        activity.finished = .now
        account.activities.finish(name, as: .finished) { [activity, name] failure in
            tell(failure, name, activity, isPrivate: isPrivate, answer)
        }
    }

    /// Deletes saved activities of an app on all devices.
    ///
    /// The app's current activities are not deleted.
    ///
    /// Activities that this device does not know are deleted, too. Another device may have such an activity and not
    /// have sent it yet.
    func deleteSavedActivities(
        _ call: DeleteSavedActivities, _ answer: @escaping Answer<Done>
    ) {
        let app = call.app
        guard let identifiers = call.identifiers.map(Set.init) else {
            let scope = Scope.activities(app: app)
            // A longer scope would be stored, but would clear nothing.
            guard scope.encoded.count <= Scope.bytesMost else { return answer(.failure(.activityTooLarge)) }
            let clear = Journal.Draft(.full(Write.Content(fields: Fields())), scope.clearKey(in: .activities))
            return account.activities.deleteSaved(nil, of: app, by: [clear]) { failure in
                tell(failure, answer)
                account.suggested.forgetGone()
            }
        }
        // A protected activity is saved under a hash of its identifier, which needs the content key. While that is
        // locked, the other activities are deleted, and the app is told to try again.
        var names = identifiers.map { SavedActivityName(app: app, identifier: $0) }
        var refusal: LocalFailure?
        do throws(LocalFailure) {
            for identifier in identifiers {
                names.append(try core.sealing.savedName(of: identifier, by: app))
            }
        } catch {
            refusal = error
        }
        let drafts = names.map { Journal.Draft(.deletion, $0.key) }
            .filter(\.isWithinLimits).sorted { $0.key.name.lexicographicallyPrecedes($1.key.name) }
        guard !drafts.isEmpty else { return answer(refusal.map { .failure($0) } ?? .success(Done())) }
        account.activities.deleteSaved(identifiers, of: app, by: drafts) { [refusal] failure in
            if failure == nil, let refusal { answer(.failure(refusal)) } else { tell(failure, answer) }
            for draft in drafts { account.suggested.forget(draft.key.identity.hash) }
        }
    }

    /// Returns an activity after a change, in the form that is kept.
    func applying(
        _ change: ActivityChange, to kept: Activity, _ name: ActivityName
    ) throws(LocalFailure) -> Activity {
        let opened = try core.sealing.demandOpen(kept, of: name.app)
        var activity = opened
        change.apply(to: &activity)
        activity.changed = .now
        let isProtected = change.protects(kept.protection != nil)
        return try sealWithinLimits(activity, name, isProtected: isProtected, replacing: (kept, opened))
    }

    /// Returns an activity in the form that is kept, which is sealed if the activity is protected.
    ///
    /// Throws if the activity is too large, or if this device has too many activities.
    private func sealWithinLimits(
        _ activity: Activity, _ name: ActivityName, isProtected: Bool,
        replacing before: (kept: Activity, opened: Activity)? = nil
    ) throws(LocalFailure) -> Activity {
        try checkContent(of: activity, name)
        var kept = try core.sealing.seal(activity, of: name.app, isProtected: isProtected, replacing: before)
        kept.spell()
        let bytes = kept.fields.encodedCount
        guard bytes <= Limits.activityBytes else { throw .activityTooLarge }
        // This check comes last, because it already counts the new activity.
        guard account.activities.makeRoom(for: name, bytes: bytes) else { throw .tooManyActivities }
        return kept
    }

    /// Throws if a name or the payload of an activity is too large.
    private func checkContent(of activity: Activity, _ name: ActivityName) throws(LocalFailure) {
        guard name.key.name.count <= RecordKey.nameBytes,
            SavedActivityName.hasRoom(for: name.app)
        else {
            throw .activityTooLarge
        }
        if let identifier = activity.persistentIdentifier,
            !SavedActivityName(app: name.app, identifier: identifier).hasRoom
        {
            throw LocalFailure(
                .tooLarge,
                "The persistent identifier of the activity is too long: with the app's name it may have at most about \(RecordKey.nameBytes) bytes."
            )
        }
        do throws(PropertyLimitError) {
            try PropertyLimits.payload.check(.dictionary(activity.info))
        } catch {
            throw LocalFailure(.tooLarge, "The payload of the activity is too large. \(error)")
        }
    }

    /// Counts that the person opened an activity that only this device keeps.
    ///
    /// The new count is computed from the stored notes, after all earlier writes. The activity may end again or be
    /// deleted at the same time. In this case, counting the opening must not restore the former state of the activity.
    func countKeptOpening(
        of name: SavedActivityName, by device: DeviceIdentifier, _ answer: @escaping Answer<IndexReply>
    ) {
        core.store.submit(to: .activities) { (store) throws(StoreFailure) in
            let notes = try store.notes(in: .keptActivity) + store.notes(in: .keptUse)
            let kept = KeptActivities(notes.filter { [own = name.key.name] in $0.name == own })
            var transaction = StoreTransaction(lane: .activities, writes: [], completing: VersionVector())
            transaction.notes = kept.notes(opening: name, by: device, at: .now)
            if !transaction.notes.isEmpty { _ = try store.commit(transaction) }
            return transaction.notes
        } then: { [account] result in
            switch result {
            case .success(let notes):
                account.activities.restoreKept(notes)
                searches.noteChange()
                answer(.success(IndexReply(passedOver: notes.isEmpty ? 1 : 0)))
            case .failure(let failure): answer(.failure(Self.notKept(failure)))
            }
        }
    }

    /// Records for suggestions that an activity began or changed.
    ///
    /// This is called after the app has got its answer.
    private func noteUse(of activity: Activity, _ name: ActivityName, hasBegun: Bool) {
        guard activity.eligibility.contains(.prediction) else { return }
        account.suggested.recordUse(account.activities.present(name), hasBegun: hasBegun)
    }

    private func tell(
        _ failure: StoreFailure?, _ name: ActivityName, _ activity: Activity, isPrivate: Bool? = nil,
        _ answer: Answer<ActivitySummary>
    ) {
        if let failure { return answer(.failure(.notKept(failure))) }
        let name = account.activities.present(name)
        var summary = account.allActivities.summary(ListedActivity(name, activity))
        summary.isPrivate = isPrivate ?? !account.activities.isShared(name)
        answer(.success(summary))
    }

    private func tell(_ failure: StoreFailure?, _ answer: Answer<Done>) {
        answer(failure.map { .failure(.notKept($0)) } ?? .success(Done()))
    }
}

extension LocalFailure {
    /// The failure for a change that this device could not store.
    ///
    /// Another device may have received the change before the disk failed. That device will send the change back.
    fileprivate static func notKept(_ failure: StoreFailure) -> LocalFailure {
        if failure.code == .outranked { return .outranked }
        return LocalFailure(
            saving: "the change", failure,
            "It takes effect all the same if another machine has already received it.")
    }

    /// The failure for a change that has no effect on any device.
    static var outranked: LocalFailure {
        LocalFailure(
            .failed,
            """
            The change has no effect: \(StoreFailure.outranked), so it can't be changed any more.
            `baton forget ID` hides an activity on this machine.
            """)
    }
}
