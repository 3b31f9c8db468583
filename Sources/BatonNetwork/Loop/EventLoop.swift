/// One thread's events: descriptors that become ready, timers that fall due, messages from other threads.
///
/// Everything made on a loop lives on the thread that runs it; only a `Mailbox` may be used from elsewhere. A turn
/// waits, handles what is ready, runs due timers, and ends with the actions that were put off to its end.
///
/// Readiness is edge-triggered: a descriptor is registered once, pausing and resuming need no system call, and a
/// peer that hung up on a paused connection does not wake the loop again and again. In return each handler goes on
/// until the kernel has nothing left, or asks for another turn with `nextTurn`.
package final class EventLoop {
    /// Names one registration, in the kernel's events too; as it is never used again, no event can reach the
    /// handler of a descriptor that was closed while the event lay in the batch.
    package struct WatchToken: Hashable, Sendable {
        /// The value that the kernel gives back.
        let number: UInt64
    }

    /// What the kernel watches for the loop.
    private let queue: EventQueue
    /// Wakes the loop for the earliest timer.
    private var alarm: Alarm
    /// A registration.
    private struct Watcher {
        /// What to call when its descriptor is ready.
        let handler: (Readiness) -> Void
        /// What to call, at most once, when the loop goes before it; it can't count on the loop any more.
        let abandoned: () -> Void
    }

    /// All registrations.
    private var watchers: [UInt64: Watcher] = [:]
    /// The number of the next registration.
    private var nextWatch = EventLoop.alarmNumber + 1
    /// What the alarm's events carry.
    private static let alarmNumber: UInt64 = 0
    /// All timers.
    private var timers = TimerQueue()
    /// What runs at the end of this turn.
    private var lastActions: [() -> Void] = []
    /// What runs in the next turn, after its events.
    private var nextActions: [() -> Void] = []
    /// The mailboxes that are open.
    private var mailboxes: [ObjectIdentifier: WatchToken] = [:]
    /// True from `stop()` until `run()` returns.
    private var isStopping = false
    /// True while a turn is going on.
    private var isTurning = false
    /// True from `close()` on.
    private var isClosed = false
    /// Where every connection of the loop reads to, one after the other.
    let readBuffer = ReadBuffer()
    /// Hears that for a while no more than little has gone through the connections, after it was much.
    package var calmed: (() -> Void)?
    /// True if much has gone through since it was looked at last.
    private var isBusy = false
    /// True while a timer runs to look at that.
    private var isCalmPlanned = false
    /// How often the kernel has woken the loop, or been asked without waiting; an idle loop's number stands still.
    package private(set) var wakeUps: UInt64 = 0

    /// Hears that the kernel does not set the alarm, when that begins; timers run all the same.
    package var alarmFailed: ((NetworkError) -> Void)?
    /// True while the kernel does not set the alarm.
    private var isAlarmOut = false

    package convenience init() throws(NetworkError) { try self.init(alarm: Alarm()) }

    /// Makes a loop with an alarm of its own.
    init(alarm: consuming Alarm) throws(NetworkError) {
        queue = try EventQueue()
        self.alarm = alarm
        try queue.add(self.alarm.descriptor, for: .readable, number: Self.alarmNumber)
    }

    deinit {
        for watcher in watchers.values { watcher.abandoned() }
    }

    /// The present moment.
    package var now: MonotonicTime { .now }

    // MARK: Running

    /// Runs turn after turn until `stop()`.
    package func run() {
        while !isStopping && !isClosed { turn() }
        isStopping = false
    }

    /// Runs until the condition holds, which is asked after every turn, or the deadline passes; true if it held.
    package func run(until deadline: MonotonicTime, or condition: () -> Bool) -> Bool {
        var isLate = false
        let timer = schedule(at: deadline) { isLate = true }
        defer { cancel(timer) }
        while !condition() {
            if isLate || isStopping || isClosed { return false }
            turn()
        }
        return true
    }

    /// Lets `run()` return after this turn; if the loop is not running, the next `run()` returns at once.
    package func stop() { isStopping = true }

    /// Ends the loop for good: what lives on it is closed, and every handler, timer and action is released without
    /// being called.
    ///
    /// Call it when `run()` has returned. Handlers often hold what holds the loop; this breaks such circles. The
    /// file of a Unix listener that was not closed before stays behind.
    package func close() {
        isClosed = true
        // Taken out first: what is released may ask the loop to cancel or stop watching while it goes.
        let released = (watchers, timers, lastActions, nextActions)
        (watchers, timers, lastActions, nextActions) = ([:], TimerQueue(), [], [])
        for watcher in released.0.values { watcher.abandoned() }
        withExtendedLifetime(released) {}
    }

    /// Waits for what is next, unless something is left to do, and does it.
    private func turn() {
        precondition(!isTurning, "a handler ran the event loop that runs it")
        isTurning = true
        defer { isTurning = false }
        let longest = setAlarm()
        let continued = nextActions
        nextActions = []
        let count = queue.wait(milliseconds: continued.isEmpty && lastActions.isEmpty ? longest : 0)
        wakeUps += 1
        for place in 0..<count {
            let (number, readiness) = queue.event(at: place)
            if number == Self.alarmNumber { alarm.handleRing() }
            watchers[number]?.handler(readiness)
        }
        runTimers()
        run(continued)
        let last = lastActions
        lastActions = []
        run(last)
    }

    /// Sets the alarm for the earliest timer; answers how many milliseconds the loop may wait, negative for any time.
    ///
    /// Without the alarm the wait itself ends when the timer is due. It stands still while the machine sleeps, so it is
    /// never long; and each turn tries the alarm again.
    private func setAlarm() -> Int32 {
        let deadline = timers.nextDeadline()
        do throws(NetworkError) {
            try alarm.set(to: deadline)
            isAlarmOut = false
            return -1
        } catch {
            if !isAlarmOut { alarmFailed?(error) }
            isAlarmOut = true
            return deadline.map { min(($0 - now).systemMilliseconds, Self.longestWait) } ?? -1
        }
    }

    /// How many milliseconds the loop waits at most while the kernel does not set the alarm.
    private static let longestWait: Int32 = 60_000

    /// Runs each action, unless the loop was closed by one before.
    private func run(_ actions: [() -> Void]) {
        for action in actions where !isClosed { action() }
    }

    // MARK: Putting off

    /// Runs an action when everything else of this turn is done, so that a caller is never called back while it
    /// is still at work.
    package func afterTurn(_ action: @escaping () -> Void) {
        if !isClosed { lastActions.append(action) }
    }

    /// Runs an action in the next turn, after its events: how one with much to do lets others have their turn.
    package func nextTurn(_ action: @escaping () -> Void) {
        if !isClosed { nextActions.append(action) }
    }

    // MARK: Timers

    /// Runs an action once after this long; timers of equal deadline run in the order in which they were made.
    @discardableResult
    package func schedule(after delay: Duration, _ action: @escaping () -> Void) -> TimerToken {
        schedule(at: now + max(delay, .zero), action)
    }

    /// Runs an action once at this moment, or in the next turn if it has passed.
    @discardableResult
    package func schedule(at deadline: MonotonicTime, _ action: @escaping () -> Void) -> TimerToken {
        timers.add(at: deadline, isClosed ? {} : action)
    }

    /// Forgets a timer; false if it has run or was cancelled before.
    @discardableResult
    package func cancel(_ timer: TimerToken) -> Bool {
        let action = timers.cancel(timer)
        return action != nil
    }

    /// Runs what is due; a timer that is made meanwhile waits for the next turn.
    private func runTimers() {
        let (time, limit) = (now, timers.nextNumber)
        while let action = timers.takeDue(at: time, madeBefore: limit) { action() }
    }

    // MARK: Descriptors

    /// Calls a handler whenever the descriptor becomes ready, until `unwatch`.
    ///
    /// The caller owns the descriptor and stops watching before it closes it. If the loop is closed before, it
    /// calls `abandoned`.
    package func watch(
        _ descriptor: borrowing FileDescriptor, for interest: Readiness,
        abandoned: @escaping () -> Void = {}, _ handler: @escaping (Readiness) -> Void
    ) throws(NetworkError) -> WatchToken {
        precondition(!isClosed, "a descriptor was to be watched by an event loop that is closed")
        let token = WatchToken(number: nextWatch)
        nextWatch += 1
        try queue.add(descriptor, for: interest, number: token.number)
        watchers[token.number] = Watcher(handler: handler, abandoned: abandoned)
        return token
    }

    /// Changes what the handler wants to hear; what is ready already is told anew.
    func change(_ token: WatchToken, of descriptor: borrowing FileDescriptor, to interest: Readiness) {
        guard watchers[token.number] != nil else { return }
        queue.change(descriptor, to: interest, number: token.number)
    }

    /// Stops watching and releases the handler; not even an event that the kernel has told already is delivered.
    package func unwatch(_ token: WatchToken, of descriptor: borrowing FileDescriptor) {
        guard watchers.removeValue(forKey: token.number) != nil else { return }
        queue.remove(descriptor)
    }

    // MARK: Mailboxes

    /// A way for other threads to have the handler called on this loop's thread.
    ///
    /// The loop holds the handler until the mailbox is removed or the loop closed.
    package func mailbox<Message: Sendable>(
        _ handler: @escaping (Message) -> Void
    ) throws(NetworkError) -> Mailbox<Message> {
        let mailbox = try Mailbox<Message>()
        let delivery = MailboxDelivery(mailbox: mailbox, handler: handler)
        let token = try watch(mailbox.bell, for: .readable, abandoned: mailbox.close) { [unowned self] _ in
            delivery.deliver(on: self)
        }
        mailboxes[ObjectIdentifier(mailbox)] = token
        return mailbox
    }

    /// Ends a mailbox: what was posted and not yet delivered is dropped, the handler is released.
    package func remove<Message>(_ mailbox: Mailbox<Message>) {
        guard let token = mailboxes.removeValue(forKey: ObjectIdentifier(mailbox)) else { return }
        mailbox.close()
        unwatch(token, of: mailbox.bell)
    }

    // MARK: Calm

    /// How long no more than little goes through before that is called calm.
    private static let calmTime = Duration.seconds(1)

    /// So much was read or written at once.
    func note(moved count: Int) {
        guard count >= ReadBuffer.byteCount, calmed != nil else { return }
        isBusy = true
        planCalm()
    }

    /// Looks once more when some time has passed, as long as much goes through; so an idle loop sleeps on.
    private func planCalm() {
        guard !isCalmPlanned else { return }
        (isCalmPlanned, isBusy) = (true, false)
        schedule(after: Self.calmTime) { [unowned self] in
            isCalmPlanned = false
            if isBusy { planCalm() } else { calmed?() }
        }
    }
}
