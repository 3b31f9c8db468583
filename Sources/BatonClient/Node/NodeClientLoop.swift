import BatonCore
import BatonNetwork

/// The work of a `NodeClient`'s thread: it sends calls, passes on answers and events, and reconnects.
struct NodeClientLoop: ~Copyable, Sendable {
    private let inbox: NodeClientInbox
    private var link: NodeLink
    /// The program's calls; those before the offset `place` are already sent.
    private var queue: [NodeQuestion] = []
    private var place = 0
    /// Calls of the client itself that are not sent yet; they are sent before the program's calls.
    private var own: [(call: any LocalCall, purpose: Purpose)] = []
    /// The unanswered calls, by the number of the request.
    private var open: [UInt64: Purpose] = [:]
    private var repeated = RepeatedCalls()
    private var listeners: [@Sendable (NodeClient.Event) -> Void] = []
    /// Whether a listener wants the app's events from the node.
    private var isListening = false
    /// The indexes for which the node is asked for requests to reindex; true while the app has not acknowledged a
    /// request.
    private var watched: [ClientStateName: Bool] = [:]
    /// Whether the node has to be asked again about the watched indexes.
    private var mustAskAboutIndexes = false
    /// Whether the client should connect although no call is waiting.
    private var isSeeking = false
    /// The earliest time of the next attempt to connect, after a failure that only a person can fix.
    private var hopelessUntil: MonotonicTime?

    /// How long not to try to connect after a failure that only a person can fix.
    private static let hopelessPause = Duration.seconds(5)
    /// The closures that are to be called at a later time.
    private var timers: [(time: MonotonicTime, body: @Sendable () -> Void)] = []

    /// The reason for which an unanswered call was made.
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

    /// The descriptor and the time that the thread waits for when it has nothing to do.
    struct Wait: Sendable {
        let descriptor: Int32
        let events: Int16
        let time: Duration?
        let reconnects: Bool
    }

    /// The largest number of times that one call of `work()` takes jobs from the inbox.
    private static let roundsMost = 8

    /// Does everything that can be done now, and returns the events to wait for; nil if the client was released.
    mutating func work() -> Wait? {
        // Jobs and timers may post further jobs, which are done in the same call. But this is repeated only a few
        // times, because the node may have answered in the meantime.
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

    /// Handles the end of a wait, which may bring answers, a new connection, or a failure.
    mutating func handleWait(_ wait: Wait, isReady: Bool) {
        switch link.handleWait(isReady: isReady, reconnects: wait.reconnects) {
        case .answers(let answers)?: receiveAnswers(answers)
        case .returned?: handleConnected()
        case .failed(let failure)?: lose(failure)
        case nil: break
        }
    }

    /// Sends the only waiting call, while the client's thread waits for the node; returns false if the thread must be
    /// woken.
    ///
    /// If the socket does not accept all bytes, or fails, the thread does the rest, because only that thread may call
    /// closures.
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
            // The client's thread tries again, and reports the failure to every caller that waits.
            return false
        }
        return link.isIdle && inbox.mayWait()
    }

    /// Whether the client should be connected although no call is waiting.
    private var isWanted: Bool {
        isSeeking || isListening || !watched.isEmpty || !repeated.isEmpty
    }

    private var reconnects: Bool { isWanted && (hopelessUntil.map { $0 <= .now } ?? true) }

    private var waitingTime: Duration? {
        let hope = isWanted && !link.isConnected ? hopelessUntil : nil
        guard let next = (timers.map(\.time) + [hope].compactMap(\.self)).min() else { return nil }
        return max(next - .now, .zero)
    }

    /// Calls the closures whose time has come; returns whether there were any.
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
            // The client does not connect here. Otherwise, it would call a node that hangs up each time without a
            // pause.
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

    /// Asks the node about all watched indexes whose last request the app has acknowledged.
    ///
    /// The new call replaces the previous call of this kind.
    private mutating func askAboutIndexes() {
        guard mustAskAboutIndexes, link.isConnected else { return }
        mustAskAboutIndexes = false
        let indexes = watched.filter { !$0.value }.map(\.key)
            .sorted { ($0.app, $0.index) < ($1.app, $1.index) }
        if !indexes.isEmpty { own.append((AwaitReindexing(indexes), .reindexing)) }
    }

    /// Closes the connection and fails all calls, because the client was released.
    private mutating func end() {
        if link.isConnected { UnsharedDescriptors.remove(link.descriptor) }
        failAll(LocalFailure(.failed, "The connection to the node was closed by this program."))
    }

    // MARK: The node

    /// Sends waiting calls, until the node has no room for more unanswered requests.
    private mutating func send() {
        askAboutIndexes()
        sendOwn()
        while own.isEmpty, place < queue.count, link.isConnected, link.room > 0 {
            let question = queue[place]
            place += 1
            do throws(LocalFailure) {
                open[try link.add(question.call)] = .question(question)
            } catch {
                // A call that is too large was not sent, so it does no harm to other calls.
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

    /// Sends the client's own calls, until the node has no room for more unanswered requests.
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
            // If a later call has replaced this call, the reply to this call has no request.
            guard case .success(let reply) = try answer.result(of: AwaitReindexing.self),
                let request = reply.request
            else { break }
            watched[request.index] = true
            mustAskAboutIndexes = true
            tell(.reindexing(request.index, request.extent))
        }
    }

    /// Drops the connection after a failure; all unanswered and all waiting calls fail.
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
