import BatonCore
import BatonNetwork

/// Sends events to an app: reports about its activities, and requests to save, continue or open something.
///
/// The events concern the activities that the app began over its connection. The app is asked to save an activity
/// before the activity is continued elsewhere, and to open what a person chose.
///
/// The app polls for events. A slow or hanging app blocks nothing: a device that takes over an activity waits for a
/// while, and then continues without the app.
final class AppEvents {
    private var queue = AppEventQueue()
    /// The app's requests for events that are not answered yet.
    private var waiting: [Answer<AppEvent>] = []
    private var saves: [UInt64: Save] = [:]
    /// The requests to open or to continue something that the app has not confirmed yet.
    private var openings: [UInt64: Opening] = [:]
    /// The save events that the app may still acknowledge although no caller waits for them now, oldest first.
    private var late: [(number: UInt64, name: ActivityName)] = []
    private var lastNumber: UInt64 = 0
    /// Whether the app has ever asked for events.
    ///
    /// An app that never asks for events can't be expected to react to one.
    private(set) var isHeard = false
    /// Whether the app's connection has ended.
    private(set) var hasEnded = false

    /// A request to save an activity, and the callers that wait until the app has saved it.
    private struct Save {
        let name: ActivityName
        /// The timer for the deadline for saving.
        ///
        /// It is released together with this request.
        let timer: OwnedTimer
        var isTold = false
        var waiting: [(Bool) -> Void]
    }

    /// A request to open or to continue something, and the caller that waits until the app confirms the request.
    private struct Opening {
        /// The timer for the deadline for confirming.
        let timer: OwnedTimer
        var isTold = false
        let then: (Bool) -> Void
    }

    // MARK: Requests of the app

    /// Answers with the next event, as soon as there is one.
    func await(_ answer: @escaping Answer<AppEvent>) {
        isHeard = true
        guard let event = queue.next() else { return waiting.append(answer) }
        hand(event, to: answer)
    }

    /// Handles the app's message that it has saved an activity because an event asked for it.
    ///
    /// Returns the activity, and a closure that tells the callers that still wait whether the app has saved. Returns
    /// nil if the app was not asked.
    func saved(_ number: UInt64) -> (name: ActivityName, tell: (Bool) -> Void)? {
        if let save = saves[number], save.isTold {
            saves[number] = nil
            return (save.name, { isSaved in for waiter in save.waiting { waiter(isSaved) } })
        }
        guard let place = late.firstIndex(where: { $0.number == number }) else { return nil }
        return (late.remove(at: place).name, { _ in })
    }

    /// Handles the app's message that it opens or continues what an event asked for.
    ///
    /// Returns whether the result of that event is still awaited.
    func opened(_ number: UInt64) -> Bool {
        guard let opening = openings[number], opening.isTold else { return false }
        openings[number] = nil
        opening.then(true)
        return true
    }

    // MARK: Events for the app

    /// Sends an event to the app.
    ///
    /// If the app is not asking at the moment, the event is queued.
    ///
    /// Returns false if the queue is full.
    @discardableResult
    func tell(_ event: AppEvent) -> Bool {
        guard waiting.isEmpty else {
            hand(event, to: waiting.removeFirst())
            return true
        }
        return queue.append(event)
    }

    /// Asks the app to save an activity.
    ///
    /// The closure is told whether the app saved the activity within the time.
    ///
    /// A caller that comes before the event was sent shares the event with earlier callers. For a later caller, the app
    /// must save once more, because the first save may be too early for that caller.
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

    /// Asks the app to open something.
    ///
    /// The closure is told whether the app confirmed within the time.
    func open(
        _ opening: AppOpening, in instance: String, within time: Duration, on loop: EventLoop,
        then: @escaping (Bool) -> Void
    ) {
        request(within: time, on: loop, { .opens($0, instance: instance, opening) }, then: then)
    }

    /// Asks the app to continue an activity.
    ///
    /// The closure is told whether the app confirmed within the time.
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

    /// Stops waiting for a confirmation.
    ///
    /// If the app confirms later, it is told that it is too late.
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

    /// Removes the event about a stream that is no longer wanted.
    ///
    /// The app then does not hear of the stream.
    func withdraw(stream number: UInt64) { queue.withdraw(stream: number) }

    /// Stops waiting for the app to save an activity that has ended.
    ///
    /// Nothing is left to save.
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

    /// Ends all requests to and from the app.
    ///
    /// If a failure is given, the account is gone, and the app's requests get the failure. Otherwise, the app's
    /// connection has ended.
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
