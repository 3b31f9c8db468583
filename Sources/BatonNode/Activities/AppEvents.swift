import BatonCore
import BatonNetwork

/// Tells an app what happens to the activities that it began over its connection, asks it to save them before they are
/// continued elsewhere, and asks it to open what a person chose.
///
/// The app polls for events. A slow or hanging app blocks nothing: a device that takes over waits for a while, and then
/// continues without the app.
final class AppEvents {
    private var queue = AppEventQueue()
    /// The open requests of the app that wait for an event.
    private var waiting: [Answer<AppEvent>] = []
    private var saves: [UInt64: Save] = [:]
    /// The requests to open or to continue something that are not confirmed yet.
    private var openings: [UInt64: Opening] = [:]
    /// The save events that the app may still acknowledge although nobody waits for them now, oldest first.
    private var late: [(number: UInt64, name: ActivityName)] = []
    private var lastNumber: UInt64 = 0
    /// Whether the app has ever asked for events; an app that has not can't be expected to answer any.
    private(set) var isHeard = false
    /// Whether the app's connection has ended.
    private(set) var hasEnded = false

    /// The activity that the app is to save, and the callers that wait for that.
    private struct Save {
        let name: ActivityName
        /// Set for the deadline for saving; released with this request.
        let timer: OwnedTimer
        var isTold = false
        var waiting: [(Bool) -> Void]
    }

    /// A request to open or to continue something, and the caller that waits until the app confirms it.
    private struct Opening {
        /// Set for the deadline for confirming.
        let timer: OwnedTimer
        var isTold = false
        let then: (Bool) -> Void
    }

    // MARK: Requests of the app

    /// Answers with the next event, once there is one.
    func await(_ answer: @escaping Answer<AppEvent>) {
        isHeard = true
        guard let event = queue.next() else { return waiting.append(answer) }
        hand(event, to: answer)
    }

    /// Handles the app's message that it has saved what an event asked for; returns the activity, or nil if the app was
    /// not asked.
    ///
    /// The closure tells the callers that still wait whether the app has saved.
    func saved(_ number: UInt64) -> (name: ActivityName, tell: (Bool) -> Void)? {
        if let save = saves[number], save.isTold {
            saves[number] = nil
            return (save.name, { isSaved in for waiter in save.waiting { waiter(isSaved) } })
        }
        guard let place = late.firstIndex(where: { $0.number == number }) else { return nil }
        return (late.remove(at: place).name, { _ in })
    }

    /// Handles the app's message that it opens or continues what an event asked for; returns whether that is still
    /// wanted.
    func opened(_ number: UInt64) -> Bool {
        guard let opening = openings[number], opening.isTold else { return false }
        openings[number] = nil
        opening.then(true)
        return true
    }

    // MARK: Events for the app

    /// Sends the app an event, or queues it until the app asks; returns false if too many are queued already.
    @discardableResult
    func tell(_ event: AppEvent) -> Bool {
        guard waiting.isEmpty else {
            hand(event, to: waiting.removeFirst())
            return true
        }
        return queue.append(event)
    }

    /// Asks the app to save an activity; the closure gets whether it did within that time.
    ///
    /// A caller that comes before the event was sent shares the event with earlier callers. For a later caller the app
    /// saves once more, because the first save may be too early for that caller.
    func save(
        _ name: ActivityName, within time: Duration, on loop: EventLoop, then: @escaping (Bool) -> Void
    ) {
        if let number = saves.first(where: { $0.value.name == name && !$0.value.isTold })?.key {
            saves[number]?.waiting.append(then)
            return
        }
        lastNumber += 1
        let number = lastNumber
        let timer = OwnedTimer(on: loop)
        timer.set(after: time) { [unowned self] in giveUp(number) }
        saves[number] = Save(name: name, timer: timer, waiting: [then])
        guard !tell(.save(number, instance: name.instance)) else { return }
        saves[number] = nil
        then(false)
    }

    /// Asks the app to open something; the closure gets whether the app confirmed within that time.
    func open(
        _ opening: AppOpening, in instance: String, within time: Duration, on loop: EventLoop,
        then: @escaping (Bool) -> Void
    ) {
        request(within: time, on: loop, { .opens($0, instance: instance, opening) }, then: then)
    }

    /// Asks the app to continue an activity; the closure gets whether the app confirmed within that time.
    func hand(
        _ continued: ContinuedActivity, within time: Duration, on loop: EventLoop,
        then: @escaping (Bool) -> Void
    ) {
        request(within: time, on: loop, { .continues($0, continued) }, then: then)
    }

    /// Sends an event that the app must confirm by its number.
    private func request(
        within time: Duration, on loop: EventLoop, _ event: (UInt64) -> AppEvent,
        then: @escaping (Bool) -> Void
    ) {
        lastNumber += 1
        let number = lastNumber
        let timer = OwnedTimer(on: loop)
        timer.set(after: time) { [unowned self] in giveUp(opening: number) }
        openings[number] = Opening(timer: timer, then: then)
        guard !tell(event(number)) else { return }
        openings[number] = nil
        then(false)
    }

    /// Stops waiting for a confirmation; an app that confirms later learns that it is too late.
    private func giveUp(opening number: UInt64) {
        guard let opening = openings.removeValue(forKey: number) else { return }
        if !opening.isTold { queue.withdraw(opening: number) }
        opening.then(false)
    }

    /// Stops waiting for the app to save.
    private func giveUp(_ number: UInt64) {
        guard let save = saves.removeValue(forKey: number) else { return }
        if save.isTold {
            late.append((number, save.name))
            if late.count > AppEventQueue.most { late.removeFirst() }
        } else {
            queue.withdraw(save: number)
        }
        for waiter in save.waiting { waiter(false) }
    }

    /// Removes the event about a stream that is no longer wanted, so that the app does not hear of it.
    func withdraw(stream number: UInt64) { queue.withdraw(stream: number) }

    /// Stops waiting for the app to save an activity that has ended: nothing is left to save.
    func giveUp(_ name: ActivityName) {
        for (number, save) in saves.sorted(by: { $0.key < $1.key }) where save.name == name { giveUp(number) }
    }

    private func hand(_ event: AppEvent, to answer: Answer<AppEvent>) {
        switch event {
        case .save(let number, _): saves[number]?.isTold = true
        case .opens(let number, _, _), .continues(let number, _): openings[number]?.isTold = true
        case .wasContinued, .ended, .streamWanted: break
        }
        answer(.success(event))
    }

    /// Ends all requests to and from the app, because its connection has ended or, with a failure, because its account
    /// is gone.
    func end(_ failure: LocalFailure? = nil) {
        let (answers, given) = (waiting, saves.sorted { $0.key < $1.key }.map(\.value))
        let asked = openings.sorted { $0.key < $1.key }.map(\.value)
        waiting = []
        saves = [:]
        openings = [:]
        late = []
        queue = AppEventQueue()
        if let failure { for answer in answers { answer(.failure(failure)) } } else { hasEnded = true }
        for save in given { for waiter in save.waiting { waiter(false) } }
        for opening in asked { opening.then(false) }
    }
}
