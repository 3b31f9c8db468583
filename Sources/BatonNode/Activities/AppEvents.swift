import BatonCore
import BatonNetwork

/// Tells an app what happens to the activities that it began over its connection, and has it bring them up to date before
/// they go on elsewhere.
///
/// The app asks for events. One that is slow, or hangs, holds nobody up: a taker waits for a while, and goes on without
/// it.
final class AppEvents {
    private var queue = AppEventQueue()
    /// The app's questions that wait for something to be told.
    private var waiting: [Answer<AppEvent>] = []
    private var saves: [UInt64: Save] = [:]
    /// What the app may still say that it saved, though nobody waits for it any more; the oldest first.
    private var late: [(number: UInt64, name: ActivityName)] = []
    private var lastNumber: UInt64 = 0
    /// Whether the app has ever asked for something; of one that does not, nothing can be expected.
    private(set) var isHeard = false

    /// What the app is to save, and who waits for that.
    private struct Save {
        let name: ActivityName
        /// Set for the end of the time in which the app is to save; goes with what is to be saved.
        let timer: OwnedTimer
        var isTold = false
        var waiting: [(Bool) -> Void]
    }

    // MARK: What the app asks

    /// Answers with the next event, once there is one.
    func await(_ answer: @escaping Answer<AppEvent>) {
        isHeard = true
        guard let event = queue.next() else { return waiting.append(answer) }
        hand(event, to: answer)
    }

    /// The app says that it has saved what that event asked for; which activity that is, if it was asked.
    ///
    /// The closure tells those who wait, if still somebody does, whether it has.
    func saved(_ number: UInt64) -> (name: ActivityName, tell: (Bool) -> Void)? {
        if let save = saves[number], save.isTold {
            saves[number] = nil
            return (save.name, { isSaved in for waiter in save.waiting { waiter(isSaved) } })
        }
        guard let place = late.firstIndex(where: { $0.number == number }) else { return nil }
        return (late.remove(at: place).name, { _ in })
    }

    // MARK: What the app is told

    /// Tells the app something, or keeps it until it asks; false if it keeps too much already.
    @discardableResult
    func tell(_ event: AppEvent) -> Bool {
        guard waiting.isEmpty else {
            hand(event, to: waiting.removeFirst())
            return true
        }
        return queue.append(event)
    }

    /// Has the app bring an activity up to date; the closure hears whether it did within that time.
    ///
    /// A caller that comes before the app was told waits with the others. For a later caller the app saves anew, because
    /// it may have saved too early for that one.
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

    /// The time to save something is over.
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

    /// Nobody wants that stream any more, and the app needs not hear of it.
    func withdraw(stream number: UInt64) { queue.withdraw(stream: number) }

    /// An activity has ended, so that there is nothing to be saved any more.
    func giveUp(_ name: ActivityName) {
        for (number, save) in saves.sorted(by: { $0.key < $1.key }) where save.name == name { giveUp(number) }
    }

    private func hand(_ event: AppEvent, to answer: Answer<AppEvent>) {
        if case .save(let number, _) = event { saves[number]?.isTold = true }
        answer(.success(event))
    }

    /// The connection has ended, or what it speaks of is gone: nobody waits for the app any more.
    func end(_ failure: LocalFailure? = nil) {
        let (answers, given) = (waiting, saves.sorted { $0.key < $1.key }.map(\.value))
        (waiting, saves, late, queue) = ([], [:], [], AppEventQueue())
        if let failure { for answer in answers { answer(.failure(failure)) } }
        for save in given { for waiter in save.waiting { waiter(false) } }
    }
}
