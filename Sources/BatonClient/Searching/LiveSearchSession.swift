package import BatonCore
import BatonNetwork
import Glibc

/// Drives a `LiveSearch` at the terminal of this process.
package struct LiveSearchSession: ~Copyable {
    private let makeCall: (String) -> SearchItems
    private let hasStyle: Bool
    private var live = LiveSearch()
    private var link: NodeLink
    private var keys = KeyReader()
    /// When the last bytes arrived.
    private var lastBytes = MonotonicTime.now
    /// The number of the search for the present text; nil if none is unanswered.
    private var latest: UInt64?
    /// Whether the present text is still to be searched for.
    private var isDue = false

    /// How the search ended.
    package enum Outcome {
        /// The person chose a result of a search for a text, and saw its whole address if that is said.
        case open(SearchResult, of: String, hasSeenAddress: Bool)
        case left
        /// A signal asked the process to end.
        case signal(Int32)
    }

    /// The time after which an escape byte is the key, and not the beginning of another key.
    private static let escapeTime = Duration.milliseconds(50)

    /// Whether this process has a terminal for that.
    package static func isPossible(_ environment: (String) -> String?) -> Bool {
        RawTerminal.isThere(environment)
    }

    /// Prepares a search, whose calls the closure makes from what was typed.
    package init(_ home: Home, hasStyle: Bool, _ makeCall: @escaping (String) -> SearchItems) {
        (self.hasStyle, self.makeCall) = (hasStyle, makeCall)
        link = NodeLink(home)
    }

    /// Runs until the person chooses a result or leaves; the terminal is then as it was before.
    package mutating func run() throws(LocalFailure) -> Outcome {
        try link.connect()
        let signals: SignalQueue
        do throws(NetworkError) {
            signals = try SignalQueue([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGCONT])
        } catch {
            throw LocalFailure(.failed, "The terminal can't be used: \(error)")
        }
        let terminal = try RawTerminal()
        let outcome = try run(signals, terminal)
        return outcome
    }

    private mutating func run(
        _ signals: borrowing SignalQueue, _ terminal: borrowing RawTerminal
    ) throws(LocalFailure) -> Outcome {
        try draw(terminal)
        while true {
            let (ready, event) = link.wait(
                beside: [(STDIN_FILENO, Int16(POLLIN)), (signals.descriptor, Int16(POLLIN))],
                within: keys.isInEscape ? max(lastBytes + Self.escapeTime - .now, .zero) : nil)
            if let event { try take(event) }
            while let arrival = signals.next() {
                switch arrival.signal {
                case SIGWINCH: break
                // Another process has stopped this one meanwhile, and may have changed the terminal.
                case SIGCONT: try terminal.makeRaw()
                default: return .signal(arrival.signal)
                }
            }
            var pressed: [Key] = []
            if ready[0] {
                let bytes = terminal.read()
                guard !bytes.isEmpty else { return .left }
                lastBytes = .now
                pressed = keys.take(bytes)
            } else if keys.isInEscape, lastBytes + Self.escapeTime <= .now {
                pressed = keys.handleSilence()
            }
            for key in pressed {
                if let outcome = try carryOut(live.press(key), terminal) { return outcome }
            }
            if let chosen = opened.take() {
                if let outcome = try carryOut(.open(chosen), terminal) { return outcome }
            }
            try search()
            try draw(terminal)
        }
    }

    /// The result that an answer has chosen, because Enter was pressed before it.
    private var opened: SearchResult?

    private mutating func carryOut(
        _ step: LiveSearch.Step, _ terminal: borrowing RawTerminal
    ) throws(LocalFailure) -> Outcome? {
        switch step {
        case .stay: break
        case .search: (isDue, latest) = (true, nil)
        case .leave: return .left
        case .open(let result):
            let size = terminal.size
            return .open(
                result, of: live.text,
                hasSeenAddress: live.showsAddress(of: result, width: size.width, height: size.height))
        case .suspend:
            try terminal.leave()
            raise(SIGTSTP)
            try terminal.enter()
        }
        return nil
    }

    private func draw(_ terminal: borrowing RawTerminal) throws(LocalFailure) {
        let size = terminal.size
        let (lines, cursor) = live.screen(width: size.width, height: size.height, at: .here)
        try terminal.draw(lines, inBold: hasStyle, cursor: (0, cursor))
    }

    // MARK: The node

    /// Searches for the present text, if that is due; the node gives up the searches before it.
    private mutating func search() throws(LocalFailure) {
        guard isDue, link.isConnected, link.room > 0 else { return }
        isDue = false
        guard live.hasWords else { return }
        do throws(LocalFailure) {
            latest = try link.send(makeCall(live.text))
        } catch  where error.code == .tooLarge {
            live.take(error)
        } catch {
            try lose(error)
        }
    }

    private mutating func take(_ event: NodeLink.Event) throws(LocalFailure) {
        switch event {
        case .answers(let answers):
            do throws(LocalFailure) {
                for answer in answers where answer.number == latest {
                    latest = nil
                    switch try answer.result(of: SearchItems.self) {
                    case .success(let reply):
                        if case .open(let result) = live.take(reply) { opened = result }
                    case .failure(let failure): live.take(failure)
                    }
                }
            } catch {
                try lose(error)
            }
        case .returned:
            live.handleReturn()
            isDue = true
        case .failed(let failure): try lose(failure)
        }
    }

    private mutating func lose(_ failure: LocalFailure) throws(LocalFailure) {
        latest = nil
        try link.lose(failure)
        live.handleLoss()
    }
}
