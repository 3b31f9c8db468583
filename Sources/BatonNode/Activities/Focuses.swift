import BatonCore

/// The focuses of the person: reads and changes them, and tells apps when what the present focus says for them may have
/// changed.
///
/// Focuses are few and seldom change, so nothing is kept in memory, and each answer reads the records. The object
/// belongs to the loop's thread.
final class Focuses {
    private let account: AccountCore
    /// Counts the changes of focuses; it begins with the time, so that a number of an earlier process is unknown.
    private var number = UInt64(clamping: WallTime.now.milliseconds) * 1000
    private var waiting: [Waiting] = []
    /// The changes that are still to be made; the first one is being made.
    private var changes: [Change] = []

    /// The call of an app that waits for a change.
    private struct Waiting {
        let call: AwaitFocus
        let session: ObjectIdentifier
        let answer: Answer<FocusNotice>
    }

    init(of account: AccountCore) { self.account = account }

    // MARK: Reading

    /// Reads the focuses and the one that is on.
    func list(_ answer: @escaping Answer<FocusesReply>) {
        read { answer($0.map { FocusesReply($0.settings) }) }
    }

    /// The focuses, and the stamps of the records that have them.
    private struct Stored: Sendable {
        let settings: FocusSettings
        let stamps: [FocusName: Stamp]

        init(_ records: [Record], last: Record?) {
            settings = FocusSettings(records, last: last)
            var stamps: [FocusName: Stamp] = [:]
            for record in records {
                if let focus = Focus(record) { stamps[FocusName(focus.name)] = record.incarnation }
            }
            self.stamps = stamps
        }
    }

    private func read(_ then: @escaping (Result<Stored, LocalFailure>) -> Void) {
        account.store.read(from: .activities) { (store) throws(StoreFailure) in
            Stored(
                try store.records(of: .focus, where: { _ in true }),
                last: try store.record(PresentFocusName().key.identity))
        } then: { result in
            then(result.mapError { LocalFailure(.storage, "Could not read the focuses: \($0).") })
        }
    }

    // MARK: Changes

    /// Switches a focus on, or the present one off.
    func switchTo(_ name: String?, _ answer: @escaping Answer<FocusesReply>) {
        change(answer) { (stored) throws(LocalFailure) in
            if let name, stored.settings.focus(named: name) == nil { throw Self.unknown(name) }
            return [Self.draft(PresentFocus(name, changed: .now))]
        }
    }

    /// Makes, changes or deletes a focus.
    func change(_ call: ChangeFocus, _ answer: @escaping Answer<FocusesReply>) {
        change(answer) { (stored) throws(LocalFailure) in try Self.drafts(call, stored) }
    }

    /// A change of the focuses that a client has asked for.
    private struct Change {
        /// Makes drafts of the present focuses.
        let drafts: (Stored) throws(LocalFailure) -> [Journal.Draft]
        let answer: Answer<FocusesReply>
    }

    /// Writes the drafts that the closure makes of the present focuses, and answers with the focuses after that.
    ///
    /// Changes are made one after another, so that none is made of focuses that another change is about to replace.
    /// The answer also has what another device has changed in the meantime.
    private func change(
        _ answer: @escaping Answer<FocusesReply>,
        _ drafts: @escaping (Stored) throws(LocalFailure) -> [Journal.Draft]
    ) {
        changes.append(Change(drafts: drafts, answer: answer))
        if changes.count == 1 { makeNextChange() }
    }

    private func makeNextChange() {
        guard let change = changes.first else { return }
        read { [self] result in
            do throws(LocalFailure) {
                let drafts = try change.drafts(try result.get())
                guard !drafts.isEmpty else { return endChange(nil) }
                account.publish(drafts) { [self] failure in
                    endChange(failure.map { LocalFailure(saving: "the focus", $0, "Nothing has changed.") })
                }
            } catch {
                endChange(error)
            }
        }
    }

    /// Answers the change that was made, and makes the next one.
    private func endChange(_ failure: LocalFailure?) {
        let change = changes.removeFirst()
        if let failure { change.answer(.failure(failure)) } else { list(change.answer) }
        makeNextChange()
    }

    /// Returns the drafts of a change; empty if there is nothing to change.
    private static func drafts(
        _ call: ChangeFocus, _ stored: Stored
    ) throws(LocalFailure) -> [Journal.Draft] {
        let name = FocusName(call.name)
        let focus = stored.settings.focus(named: call.name)
        switch call.change {
        case .add:
            return focus == nil ? [try addition(Focus(call.name, created: .now), stored)] : []
        case .remove:
            guard focus != nil else { throw unknown(call.name) }
            let isPresent = stored.settings.present?.name.utf8.elementsEqual(call.name.utf8) ?? false
            let off = isPresent ? [draft(PresentFocus(nil, changed: .now))] : []
            return [Journal.Draft(.deletion, name.key)] + off
        case .set(let filter):
            guard filter.isAllowed else {
                throw LocalFailure(
                    .tooLarge,
                    "The settings of an app in a focus may have at most \(FocusFilter.bytesMost >> 10) KiB.")
            }
            guard let focus, let stamp = stored.stamps[name] else {
                return [try addition(Focus(call.name, created: .now, filters: [filter]), stored)]
            }
            let others = focus.filters.filter { !$0.isOf(app: filter.app, intent: filter.intent) }
            guard others.count < FocusFilter.most else {
                throw LocalFailure(
                    .tooLarge, "A focus may have settings of at most \(FocusFilter.most) intents.")
            }
            return [Journal.Draft(.partial(of: stamp, Focus.change([filter], isRemoved: false)), name.key)]
        case .unset(let app, let intent):
            guard let focus, let stamp = stored.stamps[name] else { throw unknown(call.name) }
            let meant = focus.filters(of: app).filter { filter in
                intent.map { filter.isOf(app: app, intent: $0) } ?? true
            }
            guard !meant.isEmpty else {
                let what = intent.map { "no setting of “\($0)” of" } ?? "no setting of"
                throw LocalFailure(.notFound, "The focus “\(call.name)” has \(what) \(app).")
            }
            return [Journal.Draft(.partial(of: stamp, Focus.change(meant, isRemoved: true)), name.key)]
        }
    }

    /// The draft of a new focus.
    private static func addition(_ focus: Focus, _ stored: Stored) throws(LocalFailure) -> Journal.Draft {
        let name = FocusName(focus.name)
        guard name.isAllowed else {
            throw LocalFailure(
                .usage,
                "“\(focus.name)” can't be the name of a focus: a name must be visible, have at most \(Limits.nameBytes) bytes, and be none of \(FocusName.reserved.sorted().joined(separator: ", "))."
            )
        }
        guard stored.settings.focuses.count < FocusName.most else {
            throw LocalFailure(
                .tooLarge, "There are \(FocusName.most) focuses already. Delete one first.")
        }
        return Journal.Draft(.full(focus.content), name.key)
    }

    private static func draft(_ present: PresentFocus) -> Journal.Draft {
        Journal.Draft(.full(present.content), PresentFocusName().key)
    }

    private static func unknown(_ name: String) -> LocalFailure {
        LocalFailure(
            .notFound,
            "No focus has the name “\(name)”.\n`baton focus list` shows all; `baton focus add NAME` makes one."
        )
    }

    // MARK: Telling apps

    /// Answers once focuses have changed since the number of the call; at once if the number is nil or unknown.
    func await(
        _ call: AwaitFocus, by session: ObjectIdentifier, _ answer: @escaping Answer<FocusNotice>
    ) {
        guard call.after == number else {
            return tell([Waiting(call: call, session: session, answer: answer)])
        }
        waiting.append(Waiting(call: call, session: session, answer: answer))
    }

    /// Handles a commit of this device or of another one: apps are told if a focus has changed.
    func handleCommit(_ commit: StoreCommit) {
        let kinds = [RecordKind.focus, .presentFocus]
        guard commit.changed.contains(where: { kinds.contains($0.identity.kind) }) else { return }
        number += 1
        let told = waiting
        waiting = []
        if !told.isEmpty { tell(told) }
    }

    /// Answers calls with the present focus, as one reading of the records has it.
    private func tell(_ told: [Waiting]) {
        // The number is taken before the records are read: a change during the reading is told once more.
        let number = number
        read { result in
            for waiter in told {
                waiter.answer(
                    result.map { stored in
                        let present = stored.settings.present
                        return FocusNotice(
                            number, name: present?.name, filters: present?.filters(of: waiter.call.app) ?? [])
                    })
            }
        }
    }

    /// Drops the waiting calls of a connection that has ended.
    func forget(_ session: ObjectIdentifier) { waiting.removeAll { $0.session == session } }

    /// Removes and returns the waiting calls of a connection, because another state replaces the store.
    func takeBack(_ session: ObjectIdentifier) -> [(call: AwaitFocus, answer: Answer<FocusNotice>)] {
        defer { forget(session) }
        return waiting.filter { $0.session == session }.map { ($0.call, $0.answer) }
    }
}
