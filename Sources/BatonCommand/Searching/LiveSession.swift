import BatonClient
package import BatonCore
import BatonNetwork
import BatonTerminal
import Glibc

/// Runs a `LiveScreen` in the terminal of this process.
package struct LiveSession<Screen: LiveScreen>: ~Copyable {
    package private(set) var screen: Screen
    private let hasStyle: Bool
    private var link: NodeLink
    private var keys = KeyReader()
    /// The time when bytes from the terminal last arrived.
    private var lastBytes = MonotonicTime.now
    /// The purposes of the unanswered calls, by the number of the call.
    private var purposes: [UInt64: Screen.Purpose] = [:]
    /// The calls that are sent as soon as the node accepts more calls.
    private var queue: [(call: any LocalCall, purpose: Screen.Purpose)] = []

    /// The reason why the session ended.
    package enum Outcome {
        /// The person chose something.
        ///
        /// `width` and `height` are the size of the screen on which they saw it.
        case chosen(Screen.Choice, width: Int, height: Int)
        case left
        /// A signal told the process to end.
        case signal(Int32)
    }

    /// The time after which an escape byte is the Escape key.
    ///
    /// Before that, it may begin the sequence of another key.
    private static var escapeTime: Duration { .milliseconds(50) }

    /// Whether this process runs in a terminal that can show the screen.
    package static func isPossible(_ environment: (String) -> String?) -> Bool {
        RawTerminal.isThere(environment)
    }

    package init(_ home: Home, hasStyle: Bool, _ screen: Screen) {
        (self.hasStyle, self.screen) = (hasStyle, screen)
        link = NodeLink(home)
    }

    /// Runs until the person chooses something or leaves, and then restores the terminal.
    package mutating func run() throws(LocalFailure) -> Outcome {
        try link.connect()
        screen.handleReturn()
        let signals: SignalQueue
        do throws(NetworkError) {
            signals = try SignalQueue([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGCONT])
        } catch {
            throw LocalFailure(.failed, "The terminal can't be used: \(error)")
        }
        var terminal = try RawTerminal()
        let outcome = try run(signals, &terminal)
        return outcome
    }

    private mutating func run(
        _ signals: borrowing SignalQueue, _ terminal: inout RawTerminal
    ) throws(LocalFailure) -> Outcome {
        try makeCalls()
        try draw(&terminal)
        while true {
            let (ready, event) = link.wait(
                beside: [(STDIN_FILENO, Int16(POLLIN)), (signals.descriptor, Int16(POLLIN))],
                within: keys.isInEscape ? max(lastBytes + Self.escapeTime - .now, .zero) : nil)
            while let arrival = signals.next() {
                switch arrival.signal {
                case SIGWINCH: break
                // This process was stopped. Meanwhile, another process may have changed the terminal's settings.
                case SIGCONT: try terminal.makeRaw()
                default: return .signal(arrival.signal)
                }
            }
            var pressed: [Key] = []
            if ready[0] {
                let bytes = terminal.read()
                guard !bytes.isEmpty else { return .left }
                lastBytes = .now
                pressed = keys.decodeBytes(bytes)
            } else if keys.isInEscape, lastBytes + Self.escapeTime <= .now {
                pressed = keys.handleSilence()
            }
            // Keys are handled before answers. The person pressed them before they saw the answers that arrived at the
            // same time.
            let size = terminal.size
            var steps = pressed.map { press($0, width: size.width, height: size.height) }
            if let event { steps += try receiveEvent(event) }
            for step in steps {
                if let outcome = try carryOut(step, &terminal) { return outcome }
            }
            try makeCalls()
            try draw(&terminal)
        }
    }

    private func carryOut(
        _ step: LiveStep<Screen.Choice>, _ terminal: inout RawTerminal
    ) throws(LocalFailure) -> Outcome? {
        switch step {
        case .stay: return nil
        case .leave: return .left
        case .choose(let choice):
            let size = terminal.size
            return .chosen(choice, width: size.width, height: size.height)
        case .suspend:
            try terminal.leave()
            raise(SIGTSTP)
            try terminal.enter()
            return nil
        }
    }

    private mutating func press(_ key: Key, width: Int, height: Int) -> LiveStep<Screen.Choice> {
        guard case .click(let line, let cell) = key else { return screen.press(key) }
        return screen.click(line: line, cell: cell, width: width, height: height, at: .here)
    }

    private mutating func draw(_ terminal: inout RawTerminal) throws(LocalFailure) {
        screen.prepare()
        let size = terminal.size
        let (lines, cursor) = screen.screen(width: size.width, height: size.height, at: .here)
        try terminal.draw(lines, isStyled: hasStyle, cursor: (0, cursor))
    }

    // MARK: The node

    private mutating func makeCalls() throws(LocalFailure) {
        queue += screen.takeCalls()
        while link.isConnected, link.room > 0, let next = queue.first {
            queue.removeFirst()
            do throws(LocalFailure) {
                purposes[try link.send(next.call)] = next.purpose
            } catch  where error.code == .tooLarge {
                screen.refuse(next.purpose, error)
            } catch {
                try lose(error)
            }
        }
    }

    private mutating func receiveEvent(
        _ event: NodeLink.Event
    ) throws(LocalFailure) -> [LiveStep<Screen.Choice>] {
        var steps: [LiveStep<Screen.Choice>] = []
        switch event {
        case .answers(let answers):
            do throws(LocalFailure) {
                for answer in answers {
                    guard let purpose = purposes.removeValue(forKey: answer.number) else { continue }
                    steps.append(try screen.receiveAnswer(answer, for: purpose))
                }
            } catch {
                try lose(error)
            }
        case .returned: screen.handleReturn()
        case .failed(let failure): try lose(failure)
        }
        return steps
    }

    private mutating func lose(_ failure: LocalFailure) throws(LocalFailure) {
        (purposes, queue) = ([:], [])
        try link.lose(failure)
        screen.handleLoss()
    }
}
