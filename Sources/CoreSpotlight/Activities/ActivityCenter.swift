import BatonClient
import BatonCore
import BatonNetwork
import Dispatch
import Foundation

/// Offers this process's activities to its node, and passes on the events of the node.
///
/// For each activity, the center records the state that the app wants and the state that the node has. It makes the
/// calls that bring the node to the state that the app wants. Only one call is made at a time, so that at most one
/// activity is current for the node, too. Changes during a call, or soon after the last change, are sent together.
/// While no node runs, the calls wait. When a node connects, it gets the latest state.
///
/// `@unchecked` because the compiler can't see that the variables are used only on `queue`.
final class ActivityCenter: @unchecked Sendable {
    private let queue = DispatchQueue(label: "org.baton.activities")
    private let client: NodeClient
    private let application: BatonApplication
    /// The identifiers of the app and of this process's instance.
    private let name: AppName

    /// The activities that the node has or must get, by their numbers.
    private var offers: [UInt64: OfferedActivity] = [:]
    /// The number of the app's current activity.
    private var current: UInt64?
    /// The deletions that the node has not accepted yet, each with the handler to call after that.
    private var deletions: [(identifiers: [String]?, then: @Sendable () -> Void)] = []
    /// The types that the app wants to be registered for, and the types that it is registered for.
    private var (wantedTypes, registeredTypes): ([String], [String]) = ([], [])
    /// Whether a call is being made, or a delegate is saving.
    private var isBusy = false
    /// Whether no calls are made until a node answers again.
    private var isWaitingForNode = false
    /// Whether the node was locked a moment ago, so that protected content is not sent to it.
    private var isLocked = false
    private var isListening = false
    /// The earliest time of the next change, and whether a timer is set for that time.
    private var (nextChange, isTimerSet) = (MonotonicTime.now, false)

    /// The minimum time between two changes, which allows about 25 changes in a second.
    private static let pause = Duration.milliseconds(40)
    /// How long to wait before calls are made again after the node failed or was locked; if a node connects earlier,
    /// the wait ends.
    private static let retryPause = DispatchTimeInterval.seconds(5)

    /// The center of this process; after a fork, the child makes its own.
    static var shared: ActivityCenter { perProcess.value }
    private static let perProcess = PerProcess { ActivityCenter(.shared) }

    private init(_ application: BatonApplication) {
        self.application = application
        (client, name) = (application.client, application.instanceName)
    }

    // MARK: Wishes of the app

    /// Makes an activity current; it replaces the present one.
    func becomeCurrent(_ core: ActivityCore) {
        queue.async { [self] in
            listen()
            if let current, current != core.number { offers[current]?.wanted = .finished }
            current = core.number
            let instance = "\(name.instance)-\(core.number)"
            offers[core.number, default: OfferedActivity(core, instance: instance)].wanted = .current
            offers[core.number]?.isChanged = true
            goOn()
        }
    }

    /// Stops offering an activity.
    func resign(_ core: ActivityCore) { queue.async { [self] in want(.resigned, core.number) } }

    /// Ends an activity; searches may still find it afterwards.
    func finish(_ core: ActivityCore) { queue.async { [self] in want(.finished, core.number) } }

    /// Handles the release of an activity: withdraws the activity if it is current, and otherwise ends it.
    func handleRelease(of core: ActivityCore) {
        queue.async { [self] in
            let isCurrent = current == core.number
            if isCurrent { application.log.adviseOnRelease(ofType: core.type) }
            want(isCurrent ? .withdrawn : .finished, core.number)
            offers[core.number]?.core = nil
        }
    }

    /// Withdraws the current activity if the closure returns true for its attributes.
    ///
    /// The closure decides whether the activity is about something that the app has deleted.
    func withdraw(where isAbout: @escaping @Sendable (AttributeSet) -> Bool) {
        queue.async { [self] in
            guard let current, let attributes = offers[current]?.core?.content.attributes,
                isAbout(attributes)
            else { return }
            want(.withdrawn, current)
        }
    }

    /// Sends the changes of an activity to the node, if the activity is current.
    func handleChange(of core: ActivityCore) {
        queue.async { [self] in
            guard current == core.number else { return }
            offers[core.number]?.isChanged = true
            goOn()
        }
    }

    /// Deletes the saved activities with these identifiers, or all of them if `identifiers` is nil.
    ///
    /// The handler is called once the node has accepted the deletion. If there is no node, the handler is also called,
    /// and the deletion is made later.
    func deleteSaved(_ identifiers: [String]?, then: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            listen()
            deletions.append((identifiers, then))
            if isWaitingForNode { answerDeletions() }
            goOn()
        }
    }

    /// Registers the app for the types that it now handles.
    func handleRegistration() {
        queue.async { [self] in
            wantedTypes = application.handledTypes
            if !wantedTypes.isEmpty { listen() }
            goOn()
        }
    }

    private func want(_ wanted: OfferedActivity.Wanted, _ number: UInt64) {
        if current == number { current = nil }
        offers[number]?.wanted = wanted
        goOn()
    }

    // MARK: Calls to the node

    /// Makes the next call, if one is due and no other call is being made.
    private func goOn() {
        guard !isBusy, !isWaitingForNode else { return }
        if wantedTypes != registeredTypes, !wantedTypes.isEmpty { return register() }
        offers = offers.filter { !$0.value.isOver }
        // Activities that are no longer current must end before the current activity begins.
        let due = offers.filter { $0.key != current && $0.value.step != nil }.keys.min()
        if let due, let step = offers[due]?.step { return receiveStep(step, due) }
        if !deletions.isEmpty, !isLocked { return delete() }
        guard let current, let offer = offers[current], let step = offer.step, let core = offer.core,
            !(isLocked && core.content.isProtected)
        else {
            return
        }
        if nextChange > .now { return setTimer() }
        guard core.needsSave, core.delegate != nil else { return receiveStep(step, current) }
        isBusy = true
        save(core) { [self] in
            isBusy = false
            guard self.current == core.number, let step = offers[core.number]?.step else { return goOn() }
            receiveStep(step, core.number)
        }
    }

    private func setTimer() {
        guard !isTimerSet else { return }
        isTimerSet = true
        let pause = max(nextChange - .now, .zero)
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(pause.nanoseconds))) { [self] in
            isTimerSet = false
            goOn()
        }
    }

    /// Makes the call to the node that a step requires.
    private func receiveStep(_ step: OfferedActivity.Step, _ number: UInt64) {
        guard var offer = offers[number] else { return }
        let target = ActivityTarget.instance(app: name.app, instance: offer.instance)
        let content = offer.core?.content
        switch step {
        case .start, .update:
            guard let core = offer.core, let change = content?.change else { return }
            nextChange = .now + Self.pause
            offer.isChanged = false
            offers[number] = offer
            if case .update = step {
                guard offer.sent != change else { return goOn() }
                return self.offer(UpdateActivity(target, change), change, of: number)
            }
            let start = StartActivity(
                app: name.app, instance: offer.instance, lifetime: .connection, type: core.type,
                change: change)
            application.log.advise(on: start)
            self.offer(start, change, of: number)
        case .resign:
            ask(ResignActivity(target)) { [self] in handleEnd($0.map { _ in }, of: number, as: .resigned) }
        case .finish:
            ask(FinishActivity(target)) { [self] in handleEnd($0.map { _ in }, of: number, as: .nothing) }
        case .withdraw(let identifier):
            ask(ForgetActivity(identifier, everywhere: true)) { [self] in
                handleEnd($0.map { _ in }, of: number, as: .nothing)
            }
        }
    }

    /// Makes the call that starts or changes an activity.
    ///
    /// If the activity is protected, the node is first asked whether it is unlocked. A locked node must not even see the
    /// content, because that would stay in its memory.
    private func offer<Call: LocalCall>(_ call: Call, _ change: ActivityChange, of number: UInt64)
    where Call.Reply == ActivitySummary {
        guard change.isProtected == true else {
            return ask(call) { [self] in handleResult($0, of: number, sending: change) }
        }
        ask(DemandUnlocked()) { [self] result in
            switch result {
            case .failure(let failure): handleResult(.failure(failure), of: number, sending: change)
            case .success: ask(call) { [self] in handleResult($0, of: number, sending: change) }
            }
        }
    }

    /// Makes a call; the closure is called with the result, on the queue.
    private func ask<Call: LocalCall>(
        _ call: Call, then: @escaping (Result<Call.Reply, LocalFailure>) -> Void
    ) {
        isBusy = true
        // The closure is used only on the queue.
        let then = Unchecked(then)
        client.ask(call) { [self] result in
            queue.async { [self] in
                isBusy = false
                then.value(result)
                goOn()
            }
        }
    }

    /// Handles the result of starting or changing an activity.
    private func handleResult(
        _ result: Result<ActivitySummary, LocalFailure>, of number: UInt64, sending change: ActivityChange
    ) {
        switch result {
        case .success(let summary):
            offers[number]?.known = .offered(summary.identifier)
            offers[number]?.sent = change
        case .failure(let failure) where failure.concernsConnection:
            offers[number]?.isChanged = true
            awaitNode()
        case .failure(let failure) where failure.code == .locked:
            offers[number]?.isChanged = true
            awaitUnlocking()
        case .failure(let failure) where failure.code == .notFound:
            // The activity has expired, or something else has ended it. An event reports that.
            offers[number]?.known = .nothing
        case .failure(let failure):
            guard let core = offers[number]?.core else { return }
            application.tell(failure, about: core)
        }
    }

    /// Handles the result of a call that ends an activity; if the node does not know the activity, it has already
    /// ended.
    private func handleEnd(
        _ result: Result<Void, LocalFailure>, of number: UInt64, as known: OfferedActivity.Known
    ) {
        if case .failure(let failure) = result {
            if failure.concernsConnection { return awaitNode() }
            if failure.code != .notFound { application.log.fault("An activity was not ended. \(failure)") }
        }
        offers[number]?.known = known
        offers[number]?.sent = nil
    }

    private func delete() {
        guard let (identifiers, _) = deletions.first else { return }
        ask(DeleteSavedActivities(app: name.app, identifiers: identifiers)) { [self] result in
            if case .failure(let failure) = result {
                if failure.concernsConnection {
                    answerDeletions()
                    return awaitNode()
                }
                if failure.code == .locked {
                    answerDeletions()
                    return awaitUnlocking()
                }
                application.log.fault("Activities were not deleted. \(failure)")
            }
            let (_, then) = deletions.removeFirst()
            application.callbacks.call(then)
        }
    }

    /// Calls the handlers of all deletions, although the deletions are made only later, when a node runs.
    private func answerDeletions() {
        for place in deletions.indices {
            application.callbacks.call(deletions[place].then)
            deletions[place].then = {}
        }
    }

    private func register() {
        let types = wantedTypes
        ask(RegisterApp(AppRegistration(name, types: types, title: application.name))) { [self] result in
            switch result {
            case .success: registeredTypes = types
            case .failure(let failure) where failure.concernsConnection: awaitNode()
            case .failure(let failure):
                registeredTypes = types
                application.log.fault("The app is not registered for activities. \(failure)")
            }
        }
    }

    /// Stops making calls until a node connects, or `retryPause` is over.
    private func awaitNode() {
        isWaitingForNode = true
        client.seekNode()
        queue.asyncAfter(deadline: .now() + Self.retryPause) { [self] in
            isWaitingForNode = false
            goOn()
        }
    }

    /// Sends nothing protected until `retryPause` is over.
    private func awaitUnlocking() {
        isLocked = true
        queue.asyncAfter(deadline: .now() + Self.retryPause) { [self] in
            isLocked = false
            goOn()
        }
    }

    // MARK: Events of the node

    private func listen() {
        guard !isListening else { return }
        isListening = true
        client.listen(isLasting: true) { [self] event in queue.async { [self] in handleEvent(event) } }
    }

    private func handleEvent(_ event: NodeClient.Event) {
        switch event {
        case .connected:
            isWaitingForNode = false
            goOn()
        case .app(let event): handleEvent(event)
        case .lost, .reindexing: break
        }
    }

    private func handleEvent(_ event: AppEvent) {
        switch event {
        case .save(let number, let instance): save(number, offered(as: instance))
        case .wasContinued(let instance, _, let isTaken):
            guard let core = offered(as: instance)?.core else { return }
            application.call(delegateOf: core) { core.tellOfContinuation() }
            if isTaken { handleLoss(of: core.number) }
        case .ended(let instance): if let core = offered(as: instance)?.core { handleLoss(of: core.number) }
        case .continues(let number, let continued):
            confirm(number) { [application] in application.takeOver(continued.summary) }
        case .streamWanted(let number, let instance, _):
            guard let core = offered(as: instance)?.core, core.content.supportsStreams else { return }
            application.acceptStreams(number, for: core)
        case .opens(let number, _, let opening):
            confirm(number) { [application] in application.open(opening) }
        }
    }

    /// Returns the activity that the node knows by this instance.
    private func offered(as instance: String) -> OfferedActivity? {
        offers.values.first { $0.instance == instance }
    }

    /// Handles the end of an activity that the app did not end itself.
    private func handleLoss(of number: UInt64) {
        if current == number { current = nil }
        offers[number] = nil
        goOn()
    }

    /// Tells the app to save an activity that another device is about to continue, and reports the saved state to the
    /// node.
    private func save(_ number: UInt64, _ offer: OfferedActivity?) {
        guard let core = offer?.core, core.delegate != nil else { return report(number, offer?.core) }
        save(core) { [self] in report(number, core) }
    }

    /// Tells the delegate of the activity to save, and the delegate of the app that it has saved; then calls the
    /// closure.
    ///
    /// The closure is called on the queue. If several saves are requested before the delegate is called, the delegate
    /// saves only once.
    private func save(_ core: ActivityCore, then: @escaping () -> Void) {
        // The closure is used only on the queue.
        let (count, then) = (core.saveCount, Unchecked(then))
        application.call(delegateOf: core) { [self] in
            if core.save(since: count) { application.tellOfSave(of: core) }
            queue.async { then.value() }
        }
    }

    private func report(_ number: UInt64, _ core: ActivityCore?) {
        let change = core?.content.change
        let isNews = change != nil && core.flatMap { offers[$0.number]?.sent } != change
        if let core, isNews {
            offers[core.number]?.sent = change
            offers[core.number]?.isChanged = false
        }
        client.ask(ReportSaved(number, isNews ? change : nil)) { [self] result in
            guard case .failure(let failure) = result, !failure.concernsConnection, let core else { return }
            queue.async { [self] in
                // The node still has the previous state.
                offers[core.number]?.sent = nil
                application.tell(failure, about: core)
            }
        }
    }

    /// Confirms to the node that the app opens or continues something, and then calls the closure.
    ///
    /// The confirmation is sent from a callback. This shows that the app's callbacks are really being called.
    private func confirm(_ number: UInt64, then: @escaping @Sendable () -> Void) {
        application.callWhereContinued { [self] in
            client.ask(ReportOpened(number)) { result in
                // If this fails, the confirmation came too late. Another instance or another machine may already do it.
                guard case .success = result else { return }
                then()
            }
        }
    }
}
