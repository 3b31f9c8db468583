import BatonCore
import BatonNetwork

/// The work of a `NodeClient`'s thread: sends calls, passes answers and events on, reconnects.
struct NodeClientLoop: ~Copyable, Sendable {
    private let inbox: NodeClientInbox
    private var link: NodeLink
    /// The program's calls; those before `place` are already sent.
    private var queue: [NodeQuestion] = []
    private var place = 0
    /// The client's own calls that are not sent yet; they go before the program's.
    private var own: [(call: any LocalCall, purpose: Purpose)] = []
    /// The unanswered calls, by number.
    private var open: [UInt64: Purpose] = [:]
    private var repeated = RepeatedCalls()
    private var listeners: [@Sendable (NodeClient.Event) -> Void] = []
    /// Whether a listener wants the app's events.
    private var isListening = false
    /// The indexes about which the node is asked what to index again; true means that a request waits for the app.
    private var watched: [ClientStateName: Bool] = [:]
    /// Whether the node is to be asked about those indexes again.
    private var mustAskAboutIndexes = false
    /// Whether to connect although no call is waiting.
    private var isSeeking = false
    /// The time before which no further attempt to connect is made, after a failure that only a person can fix.
    private var hopelessUntil: MonotonicTime?

    /// The pause after such a failure.
    private static let hopelessPause = Duration.seconds(5)
    /// The closures to call later.
    private var timers: [(time: MonotonicTime, body: @Sendable () -> Void)] = []

    /// The purpose of an unanswered call.
    private enum Purpose: Sendable {
        case question(NodeQuestion)
        case repeated(any LocalCall)
        case event
        case reindexing
    }

    init(_ home: Home, _ inbox: NodeClientInbox) {
        self.inbox = inbox
        link = NodeLink(home)
    }

    /// An event that the thread waits for when it has nothing to do.
    struct Wait: Sendable {
        let descriptor: Int32
        let events: Int16
        let time: Duration?
        let reconnects: Bool
    }

    /// How many times jobs are taken before the connection is checked.
    private static let roundsMost = 8

    /// Does everything that is to be done now, and returns what to wait for; nil if the client was released.
    mutating func work() -> Wait? {
        // Jobs that other jobs or timers post are done in the same call, but only a few times, because the node may
        // have answered.
        for _ in 0..<Self.roundsMost {
            let jobs = inbox.takeJobs()
            for job in jobs {
                guard receiveJob(job) else {
                    end()
                    return nil
                }
            }
            let isDone = jobs.isEmpty && !callDue()
            if isDone { break }
        }
        send()
        let (time, reconnects) = (inbox.mayWait() ? waitingTime : .zero, reconnects)
        return Wait(
            descriptor: link.descriptor, events: link.events,
            time: link.longestWait(within: time, reconnects: reconnects), reconnects: reconnects)
    }

    /// Handles the end of a wait: answers, a new connection, or a failure.
    mutating func handleWait(_ wait: Wait, isReady: Bool) {
        switch link.handleWait(isReady: isReady, reconnects: wait.reconnects) {
        case .answers(let answers)?: receiveAnswers(answers)
        case .returned?: handleConnected()
        case .failed(let failure)?: lose(failure)
        case nil: break
        }
    }

    /// Sends the only call that waits, while the thread waits for the node; returns false if the thread must be woken.
    ///
    /// The thread does the rest if the socket does not accept all bytes, or if it fails: closures are called on that
    /// thread.
    mutating func sendOnlyCall() -> Bool {
        guard link.isConnected, link.room > 0, link.isIdle, queue.isEmpty, own.isEmpty,
            let question = inbox.takeOnlyCall()
        else { return false }
        do throws(LocalFailure) {
            open[try link.add(question.call)] = .question(question)
        } catch {
            queue.append(question)
            return false
        }
        do throws(LocalFailure) {
            try link.flush()
        } catch {
            // The thread tries again, and reports the failure to all who wait.
            return false
        }
        return link.isIdle && inbox.mayWait()
    }

    /// Whether a node is wanted although no call is waiting.
    private var isWanted: Bool {
        isSeeking || isListening || !watched.isEmpty || !repeated.isEmpty
    }

    private var reconnects: Bool { isWanted && (hopelessUntil.map { $0 <= .now } ?? true) }

    private var waitingTime: Duration? {
        let hope = isWanted && !link.isConnected ? hopelessUntil : nil
        guard let next = (timers.map(\.time) + [hope].compactMap(\.self)).min() else { return nil }
        return max(next - .now, .zero)
    }

    /// Calls the closures that are due; returns whether there were any.
    private mutating func callDue() -> Bool {
        guard !timers.isEmpty else { return false }
        let now = MonotonicTime.now
        let due = timers.filter { $0.time <= now }
        timers.removeAll { $0.time <= now }
        for timer in due { timer.body() }
        return !due.isEmpty
    }

    // MARK: Jobs

    /// Does a job; returns false if the thread is to end.
    private mutating func receiveJob(_ job: NodeClientJob) -> Bool {
        switch job {
        case .ask(let question):
            queue.append(question)
            if !link.isConnected { connect() }
        case .listen(let isLasting, let listener):
            listeners.append(listener)
            if link.isConnected { listener(.connected) }
            guard isLasting, !isListening else { break }
            isListening = true
            if link.isConnected { own.append((AwaitEvent(), .event)) } else { connect() }
        case .watch(let index):
            guard watched[index] == nil, watched.count < Limits.watchedIndexes else { break }
            watched[index] = false
            if link.isConnected { mustAskAboutIndexes = true } else { connect() }
        case .acknowledged(let index):
            guard watched[index] == true else { break }
            watched[index] = false
            mustAskAboutIndexes = true
        case .seek:
            // The client does not connect here, so that a node that hangs up each time is not called without a pause.
            isSeeking = !link.isConnected
        case .run(let pause, let body): timers.append((.now + pause, body))
        case .end: return false
        }
        return true
    }

    /// Tries to connect immediately; if that fails, the waiting calls fail.
    private mutating func connect() {
        do throws(LocalFailure) {
            try link.connect()
            handleConnected()
        } catch {
            if !error.isPassing { hopelessUntil = .now + Self.hopelessPause }
            failAll(error)
            tell(.lost(error))
        }
    }

    private mutating func handleConnected() {
        (isSeeking, hopelessUntil) = (false, nil)
        UnsharedDescriptors.add(link.descriptor)
        if isListening { own.append((AwaitEvent(), .event)) }
        for call in repeated.calls { own.append((call, .repeated(call))) }
        mustAskAboutIndexes = true
        tell(.connected)
    }

    /// Asks about all watched indexes without an open request; the new call replaces the previous one.
    private mutating func askAboutIndexes() {
        guard mustAskAboutIndexes, link.isConnected else { return }
        mustAskAboutIndexes = false
        let indexes = watched.filter { !$0.value }.map(\.key)
            .sorted { ($0.app, $0.index) < ($1.app, $1.index) }
        if !indexes.isEmpty { own.append((AwaitReindexing(indexes), .reindexing)) }
    }

    /// Releases everything, because the client was released.
    private mutating func end() {
        if link.isConnected { UnsharedDescriptors.remove(link.descriptor) }
        failAll(LocalFailure(.failed, "The connection to the node was closed by this program."))
    }

    // MARK: The node

    /// Sends the waiting calls that the node has room for.
    private mutating func send() {
        askAboutIndexes()
        sendOwn()
        while own.isEmpty, place < queue.count, link.isConnected, link.room > 0 {
            let question = queue[place]
            place += 1
            do throws(LocalFailure) {
                open[try link.add(question.call)] = .question(question)
            } catch {
                // A call that is too large was not sent, and harms no other.
                inbox.noteAnswered(1)
                question.fail(error)
                if error.code != .tooLarge { lose(error) }
            }
        }
        if place == queue.count { (queue, place) = ([], 0) }
        do throws(LocalFailure) {
            try link.flush()
        } catch {
            lose(error)
        }
    }

    /// Sends the client's own calls that the node has room for.
    private mutating func sendOwn() {
        while !own.isEmpty, link.isConnected, link.room > 0 {
            let (call, purpose) = own.removeFirst()
            do throws(LocalFailure) {
                open[try link.add(call)] = purpose
            } catch {
                lose(error)
            }
        }
    }

    private mutating func receiveAnswers(_ answers: [LocalAnswer]) {
        for answer in answers {
            guard let purpose = open.removeValue(forKey: answer.number) else { continue }
            do throws(LocalFailure) {
                try receiveAnswer(answer, for: purpose)
            } catch {
                lose(error)
            }
        }
    }

    private mutating func receiveAnswer(_ answer: LocalAnswer, for purpose: Purpose) throws(LocalFailure) {
        switch purpose {
        case .question(let question):
            inbox.noteAnswered(1)
            if !answer.isFailure { repeated.recordCall(question.call) }
            try question.take(.success(answer))
        case .repeated(let call):
            guard answer.isFailure, let start = call as? StartActivity else { break }
            repeated.noteRefusal(of: start)
            tell(.app(.ended(instance: start.instance)))
        case .event:
            guard case .success(let event) = try answer.result(of: AwaitEvent.self) else { break }
            repeated.recordEvent(event)
            own.append((AwaitEvent(), .event))
            tell(.app(event))
        case .reindexing:
            // The reply to a call that a later call has replaced has no request.
            guard case .success(let reply) = try answer.result(of: AwaitReindexing.self),
                let request = reply.request
            else { break }
            watched[request.index] = true
            mustAskAboutIndexes = true
            tell(.reindexing(request.index, request.extent))
        }
    }

    /// Drops the connection after a failure; the unanswered and the waiting calls fail.
    private mutating func lose(_ failure: LocalFailure) {
        guard link.isConnected else { return }
        UnsharedDescriptors.remove(link.descriptor)
        do throws(LocalFailure) {
            try link.lose(failure)
        } catch {
            hopelessUntil = .now + Self.hopelessPause
        }
        repeated.noteLoss()
        failAll(failure)
        tell(.lost(failure))
    }

    /// Fails all calls of the program, in their order.
    private mutating func failAll(_ failure: LocalFailure) {
        var failed: [NodeQuestion] = []
        for (_, purpose) in open.sorted(by: { $0.key < $1.key }) {
            switch purpose {
            case .question(let question): failed.append(question)
            case .repeated, .event, .reindexing: break
            }
        }
        failed += queue[place...]
        open = [:]
        own = []
        queue = []
        place = 0
        inbox.noteAnswered(failed.count)
        for question in failed { question.fail(failure) }
    }

    private func tell(_ event: NodeClient.Event) {
        for listener in listeners { listener(event) }
    }
}
