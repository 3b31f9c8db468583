/// The events of one thread: descriptors that become ready, timers that fall due, and messages from other threads.
///
/// Objects that are made on a loop belong to the thread that runs the loop. Only a `Mailbox` may be used by other
/// threads. A turn of the loop waits, handles what is ready, runs the due timers, and at its end runs deferred actions.
///
/// Readiness is edge-triggered. A descriptor is registered only once, and pausing and resuming need no system call. A
/// peer that hangs up on a paused connection wakes the loop only once. In return, each handler must continue until the
/// kernel has nothing left, or must ask for another turn with `nextTurn`.
package final class EventLoop {
    /// Identifies one registration, also in the kernel's events.
    ///
    /// A token is never used again. So an event can't reach the wrong handler if a descriptor is closed while its event
    /// is still in the batch.
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
        /// Called at most once, if the loop closes while it watches the descriptor; the closure must not use the loop.
        let abandoned: () -> Void
    }

    /// All registrations, keyed by the numbers of their tokens.
    private var watchers: [UInt64: Watcher] = [:]
    /// The number of the next registration.
    private var nextWatch = EventLoop.alarmNumber + 1
    /// The number that identifies the alarm in the kernel's events.
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
    /// True while a turn is running.
    private var isTurning = false
    /// True after `close()` was called.
    private var isClosed = false
    /// The buffer that all connections of the loop read into, one after the other.
    let readBuffer = ReadBuffer()
    /// Called when traffic was high and has then been low for a while.
    package var calmed: (() -> Void)?
    /// True if traffic was high since the last check.
    private var isBusy = false
    /// True while a timer is set for the next check.
    private var isCalmPlanned = false
    /// The number of times that the loop has asked the kernel for events; an idle loop does not ask.
    package private(set) var wakeUps: UInt64 = 0

    /// Called when the kernel starts refusing to set the alarm; timers still run.
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

    /// Runs until a condition holds or the deadline passes; returns whether the condition held.
    ///
    /// The condition is checked before the first turn and after every turn.
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

    /// Makes `run()` return after the present turn; if the loop is not running, the next call of `run()` returns at
    /// once.
    package func stop() { isStopping = true }

    /// Closes the loop permanently, without calling the handlers, timers and actions that are left.
    ///
    /// Every descriptor that the loop watches is closed, and every handler, timer and action is released. Call this
    /// after `run()` has returned. Handlers often hold objects that hold the loop; closing the loop breaks such cycles.
    /// If a Unix listener was not closed before, its socket file is left behind.
    package func close() {
        isClosed = true
        // These properties are emptied first, because objects that are released may cancel timers and stop watching
        // descriptors.
        let released = (watchers, timers, lastActions, nextActions)
        watchers = [:]
        timers = TimerQueue()
        lastActions = []
        nextActions = []
        for watcher in released.0.values { watcher.abandoned() }
        withExtendedLifetime(released) {}
    }

    /// Waits for events and handles everything that is due; if actions are pending, does not wait.
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

    /// Sets the alarm for the earliest timer, and returns the maximum time to wait for events, in milliseconds.
    ///
    /// A negative result means no limit. If the alarm can't be set, the wait itself must end when the timer is due. The
    /// clock of the wait stops while the machine sleeps, so the wait is never long. Each turn tries again to set the
    /// alarm.
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

    /// The maximum wait while the kernel refuses to set the alarm, in milliseconds.
    private static let longestWait: Int32 = 60_000

    /// Runs the actions in order, until one of them closes the loop.
    private func run(_ actions: [() -> Void]) {
        for action in actions where !isClosed { action() }
    }

    // MARK: Deferred actions

    /// Runs an action at the end of the present turn.
    ///
    /// This keeps code from being called back while its own call is still running.
    package func afterTurn(_ action: @escaping () -> Void) {
        if !isClosed { lastActions.append(action) }
    }

    /// Runs an action in the next turn, after the events of that turn.
    ///
    /// Long work is divided into such actions, so that other work gets its turn.
    package func nextTurn(_ action: @escaping () -> Void) {
        if !isClosed { nextActions.append(action) }
    }

    // MARK: Timers

    /// Runs an action once after a delay.
    ///
    /// The action can't be cancelled; use an `OwnedTimer` for that.
    package func schedule(after delay: Duration, _ action: @escaping () -> Void) {
        schedule(at: now + max(delay, .zero), action)
    }

    /// Runs an action once at a given time, or in the next turn if the time has passed.
    ///
    /// The action can't be cancelled.
    package func schedule(at deadline: MonotonicTime, _ action: @escaping () -> Void) {
        _ = addTimer(at: deadline, action)
    }

    /// Makes a timer; timers with the same deadline run in the order in which they were made.
    func addTimer(at deadline: MonotonicTime, _ action: @escaping () -> Void) -> TimerToken {
        timers.add(at: deadline, isClosed ? {} : action)
    }

    /// Cancels a timer and releases its action; does nothing if the timer has already run or was cancelled.
    func cancel(_ timer: TimerToken) {
        let action = timers.cancel(timer)
        withExtendedLifetime(action) {}
    }

    /// Runs the timers that are due; a timer that one of their actions makes runs in the next turn at the earliest.
    private func runTimers() {
        let (time, limit) = (now, timers.nextNumber)
        while let action = timers.takeDue(at: time, madeBefore: limit) { action() }
    }

    // MARK: Descriptors

    /// Calls a handler whenever the descriptor becomes ready, until `unwatch` is called.
    ///
    /// The caller owns the descriptor, and must stop watching before it closes the descriptor. If the loop closes
    /// earlier, the loop calls `abandoned`.
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

    /// Changes the events that the handler is called for; the kernel reports events that are already pending once more.
    func change(_ token: WatchToken, of descriptor: borrowing FileDescriptor, to interest: Readiness) {
        guard watchers[token.number] != nil else { return }
        queue.change(descriptor, to: interest, number: token.number)
    }

    /// Stops watching and releases the handler; events that the kernel has already returned are dropped.
    package func unwatch(_ token: WatchToken, of descriptor: borrowing FileDescriptor) {
        guard watchers.removeValue(forKey: token.number) != nil else { return }
        queue.remove(descriptor)
    }

    // MARK: Mailboxes

    /// Makes a mailbox, whose handler the loop's thread calls for each message that any thread posts.
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

    /// Closes a mailbox: drops the messages that were not delivered, and releases the handler.
    package func remove<Message>(_ mailbox: Mailbox<Message>) {
        guard let token = mailboxes.removeValue(forKey: ObjectIdentifier(mailbox)) else { return }
        mailbox.close()
        unwatch(token, of: mailbox.queue.bell)
    }

    // MARK: Traffic

    /// The time for which traffic must be low before the loop counts as calm.
    private static let calmTime = Duration.seconds(1)

    /// Notes the number of bytes that a connection has just read or written in one call.
    func recordMoves(_ count: Int) {
        guard count >= ReadBuffer.byteCount, calmed != nil else { return }
        isBusy = true
        planCalm()
    }

    /// Checks the traffic after a while, and again for as long as traffic is high; an idle loop has no such timer.
    private func planCalm() {
        guard !isCalmPlanned else { return }
        (isCalmPlanned, isBusy) = (true, false)
        schedule(after: Self.calmTime) { [unowned self] in
            isCalmPlanned = false
            if isBusy { planCalm() } else { calmed?() }
        }
    }
}
