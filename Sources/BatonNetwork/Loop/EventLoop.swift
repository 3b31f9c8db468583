/// One thread's events: descriptors that become ready, timers that fall due, messages from other threads.
///
/// Everything made on a loop lives on the thread that runs it; only a `Mailbox` may be used from elsewhere. A turn
/// waits, handles what is ready, runs due timers, and ends with the actions that were put off to its end.
///
/// Readiness is edge-triggered: a descriptor is registered once, pausing and resuming need no system call, and a
/// peer that hung up on a paused connection does not wake the loop again and again. In return each handler goes on
/// until the kernel has nothing left, or asks for another turn with `nextTurn`.
package final class EventLoop {
    /// Identifies one registration, in the kernel's events too; it is never used again, so no event can reach the
    /// handler of a descriptor that was closed while the event lay in the batch.
    package struct WatchToken: Hashable, Sendable {
        /// The value that the kernel returns with each event.
        let number: UInt64
    }

    /// The descriptors that the kernel watches for the loop.
    private let queue: EventQueue
    /// Wakes the loop for the earliest timer.
    private var alarm: Alarm
    /// The callbacks of one registration.
    private struct Watcher {
        /// Called when the descriptor is ready.
        let handler: (Readiness) -> Void
        /// Called at most once, when the loop closes while the descriptor is watched; it must not use the loop.
        let abandoned: () -> Void
    }

    /// All registrations, by the numbers of their tokens.
    private var watchers: [UInt64: Watcher] = [:]
    /// The number of the next registration.
    private var nextWatch = EventLoop.alarmNumber + 1
    /// The number in the alarm's events.
    private static let alarmNumber: UInt64 = 0
    /// All timers.
    private var timers = TimerQueue()
    /// Actions to run at the end of this turn.
    private var lastActions: [() -> Void] = []
    /// Actions to run in the next turn, after its events.
    private var nextActions: [() -> Void] = []
    /// The open mailboxes.
    private var mailboxes: [ObjectIdentifier: WatchToken] = [:]
    /// True from `stop()` until `run()` returns.
    private var isStopping = false
    /// True while a turn is going on.
    private var isTurning = false
    /// True from `close()` on.
    private var isClosed = false
    /// The memory into which all connections of the loop read, one after the other.
    let readBuffer = ReadBuffer()
    /// Called when traffic has been low for a while after it was high.
    package var calmed: (() -> Void)?
    /// True if traffic was high since the last check.
    private var isBusy = false
    /// True while a timer is set for the next check.
    private var isCalmPlanned = false
    /// How often the loop has asked the kernel for events; it stands still while the loop is idle.
    package private(set) var wakeUps: UInt64 = 0

    /// Called when the kernel begins to refuse to set the alarm; timers still run.
    package var alarmFailed: ((NetworkError) -> Void)?
    /// True while the kernel refuses to set the alarm.
    private var isAlarmOut = false

    package convenience init() throws(NetworkError) { try self.init(alarm: Alarm()) }

    /// Makes a loop with the given alarm.
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

    /// Runs until a condition holds or the deadline passes; checks the condition after every turn, and returns whether
    /// it held.
    package func run(until deadline: MonotonicTime, or condition: () -> Bool) -> Bool {
        var isLate = false
        let timer = addTimer(at: deadline) { isLate = true }
        defer { cancel(timer) }
        while !condition() {
            if isLate || isStopping || isClosed { return false }
            turn()
        }
        return true
    }

    /// Lets `run()` return after this turn; if the loop is not running, the next `run()` returns at once.
    package func stop() { isStopping = true }

    /// Closes the loop permanently: everything that it watches is closed, and every handler, timer and action is
    /// released without being called.
    ///
    /// Call it when `run()` has returned. Handlers often hold objects that hold the loop; this breaks such cycles. The
    /// file of a Unix listener that was not closed before stays behind.
    package func close() {
        isClosed = true
        // These are moved out first, because objects that are released may cancel timers and stop watching descriptors.
        let released = (watchers, timers, lastActions, nextActions)
        watchers = [:]
        timers = TimerQueue()
        lastActions = []
        nextActions = []
        for watcher in released.0.values { watcher.abandoned() }
        withExtendedLifetime(released) {}
    }

    /// Waits for events, unless actions are pending, and handles everything that is due.
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

    /// Sets the alarm for the earliest timer; returns for how many milliseconds the loop may wait, or a negative number
    /// for no limit.
    ///
    /// Without the alarm the wait itself ends when the timer is due. Its clock stands still while the machine sleeps,
    /// so the wait is never long; each turn tries to set the alarm again.
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

    /// The longest wait, in milliseconds, while the kernel refuses to set the alarm.
    private static let longestWait: Int32 = 60_000

    /// Runs the actions in order, until one of them closes the loop.
    private func run(_ actions: [() -> Void]) {
        for action in actions where !isClosed { action() }
    }

    // MARK: Deferred actions

    /// Runs an action when everything else of this turn is done, so that a caller is never called back from within its
    /// own call.
    package func afterTurn(_ action: @escaping () -> Void) {
        if !isClosed { lastActions.append(action) }
    }

    /// Runs an action in the next turn, after its events; long work is divided in this way, so that nothing else
    /// starves.
    package func nextTurn(_ action: @escaping () -> Void) {
        if !isClosed { nextActions.append(action) }
    }

    // MARK: Timers

    /// Runs an action once after a delay.
    ///
    /// It can't be cancelled; use an `OwnedTimer` for that.
    package func schedule(after delay: Duration, _ action: @escaping () -> Void) {
        schedule(at: now + max(delay, .zero), action)
    }

    /// Runs an action once at a moment, or in the next turn if the moment has passed.
    ///
    /// It can't be cancelled.
    package func schedule(at deadline: MonotonicTime, _ action: @escaping () -> Void) {
        _ = addTimer(at: deadline, action)
    }

    /// Makes a timer; timers with equal deadlines run in the order in which they were made.
    func addTimer(at deadline: MonotonicTime, _ action: @escaping () -> Void) -> TimerToken {
        timers.add(at: deadline, isClosed ? {} : action)
    }

    /// Cancels a timer and releases its action; does nothing if it has run or was cancelled before.
    func cancel(_ timer: TimerToken) {
        let action = timers.cancel(timer)
        withExtendedLifetime(action) {}
    }

    /// Runs the timers that are due; a timer that is made by one of their actions waits for the next turn.
    private func runTimers() {
        let (time, limit) = (now, timers.nextNumber)
        while let action = timers.takeDue(at: time, madeBefore: limit) { action() }
    }

    // MARK: Descriptors

    /// Calls a handler whenever the descriptor becomes ready, until `unwatch`.
    ///
    /// The caller owns the descriptor, and stops watching it before it closes it. If the loop closes earlier, it calls
    /// `abandoned`.
    package func watch(
        _ descriptor: borrowing FileDescriptor, for interest: Readiness,
        abandoned: @escaping () -> Void = {}, _ handler: @escaping (Readiness) -> Void
    ) throws(NetworkError) -> WatchToken {
        precondition(!isClosed, "a closed event loop was asked to watch a descriptor")
        let token = WatchToken(number: nextWatch)
        nextWatch += 1
        try queue.add(descriptor, for: interest, number: token.number)
        watchers[token.number] = Watcher(handler: handler, abandoned: abandoned)
        return token
    }

    /// Changes the events that the handler gets; events that are pending already are delivered again.
    func change(_ token: WatchToken, of descriptor: borrowing FileDescriptor, to interest: Readiness) {
        guard watchers[token.number] != nil else { return }
        queue.change(descriptor, to: interest, number: token.number)
    }

    /// Stops watching and releases the handler; events that the kernel has already returned are not delivered either.
    package func unwatch(_ token: WatchToken, of descriptor: borrowing FileDescriptor) {
        guard watchers.removeValue(forKey: token.number) != nil else { return }
        queue.remove(descriptor)
    }

    // MARK: Mailboxes

    /// Makes a mailbox to which any thread can post; the loop's thread calls the handler for each message.
    ///
    /// The loop holds the handler until the mailbox is removed or the loop is closed.
    package func mailbox<Message: Sendable>(
        _ handler: @escaping (Message) -> Void
    ) throws(NetworkError) -> Mailbox<Message> {
        let mailbox = try Mailbox<Message>(handler)
        let delivery = MailboxDelivery(of: mailbox.queue)
        let token = try watch(mailbox.queue.bell, for: .readable, abandoned: mailbox.close) {
            [unowned self] _ in
            delivery.deliver(on: self)
        }
        mailboxes[ObjectIdentifier(mailbox)] = token
        return mailbox
    }

    /// Closes a mailbox: messages that were not delivered are dropped, and the handler is released.
    package func remove<Message>(_ mailbox: Mailbox<Message>) {
        guard let token = mailboxes.removeValue(forKey: ObjectIdentifier(mailbox)) else { return }
        mailbox.close()
        unwatch(token, of: mailbox.queue.bell)
    }

    // MARK: Traffic

    /// How long traffic must be low before the loop counts as calm.
    private static let calmTime = Duration.seconds(1)

    /// Notes how many bytes a connection has read or written at once.
    func recordMoves(_ count: Int) {
        guard count >= ReadBuffer.byteCount, calmed != nil else { return }
        isBusy = true
        planCalm()
    }

    /// Checks the traffic after a while, and repeatedly for as long as it is high; an idle loop has no such timer.
    private func planCalm() {
        guard !isCalmPlanned else { return }
        (isCalmPlanned, isBusy) = (true, false)
        schedule(after: Self.calmTime) { [unowned self] in
            isCalmPlanned = false
            if isBusy { planCalm() } else { calmed?() }
        }
    }
}
