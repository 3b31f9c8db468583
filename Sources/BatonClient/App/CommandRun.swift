package import BatonCore
import BatonNetwork
import Glibc

/// A command that runs, and an activity that lasts as long.
///
/// The command is what counts: whatever becomes of the node, it goes on, and the activity begins again once there is a
/// node.
package struct CommandRun: ~Copyable {
    private let start: StartActivity
    private var link: NodeLink
    private let tell: (VisibleText) throws(LocalFailure) -> Void
    /// What the answers that are yet to come are for.
    private var purposes: [UInt64: Purpose] = [:]
    /// Whether the activity is to go on: not once somebody ended it, or a node refused it.
    private var isWanted = true

    private enum Purpose { case start, event, saved }

    /// A run of which is told so, to a person, what goes wrong with the activity.
    package init(
        _ home: Home, _ start: StartActivity, tell: @escaping (VisibleText) throws(LocalFailure) -> Void
    ) {
        (self.start, self.tell) = (start, tell)
        link = NodeLink(home)
    }

    /// Runs the command to its end, and returns the status with which a shell would go on.
    package mutating func run(_ words: [String]) throws(LocalFailure) -> Int32 {
        // Whoever started this may not care for its children; this one does.
        signal(SIGCHLD, SIG_DFL)
        let signals: SignalQueue
        do throws(NetworkError) {
            signals = try SignalQueue([SIGCHLD] + Self.passedOn)
        } catch {
            throw LocalFailure(.failed, "The command was not started: \(error)")
        }
        let process: pid_t
        do throws(NetworkError) {
            process = try signals.start(words)
        } catch {
            let failure = ProgramStart.failure(words.first ?? "", error.number)
            try tell(VisibleText(failure.text))
            return ProgramStart.status(error.number)
        }
        do throws(LocalFailure) {
            try link.connect()
            try begin()
        } catch {
            try tell("The command runs without an activity. \(VisibleText(error.description))")
            isWanted = error.isPassing
        }
        while true {
            let ready = Waiting.forOne(
                of: [(signals.descriptor, Int16(POLLIN)), (link.descriptor, link.events)],
                within: isWanted ? link.pause : nil)
            while let arrival = signals.next() {
                guard arrival.signal == SIGCHLD else {
                    // What came from the terminal the command was sent as well.
                    if !arrival.isOfTerminal { kill(process, arrival.signal) }
                    continue
                }
                if let status = Self.ending(of: process) { return status }
            }
            try speak(isReady: ready[1])
        }
    }

    // MARK: The node

    /// Takes what the node says, and seeks it where it is gone.
    private mutating func speak(isReady: Bool) throws(LocalFailure) {
        do throws(LocalFailure) {
            if isReady { for answer in try link.receive() { try take(answer) } }
            if isWanted, try link.seek() { try begin() }
        } catch {
            purposes = [:]
            do throws(LocalFailure) {
                try link.lose(error)
            } catch {
                isWanted = false
                try tell("The command goes on without an activity. \(VisibleText(error.description))")
            }
        }
    }

    private mutating func begin() throws(LocalFailure) {
        try ask(start, .start)
        try ask(AwaitEvent(), .event)
    }

    private mutating func ask(_ call: some LocalCall, _ purpose: Purpose) throws(LocalFailure) {
        purposes[try link.send(call)] = purpose
    }

    private mutating func take(_ answer: LocalAnswer) throws(LocalFailure) {
        switch purposes.removeValue(forKey: answer.number) {
        case .start?:
            guard case .failure(let failure) = try answer.result(of: StartActivity.self) else { return }
            isWanted = false
            try tell("The command runs without an activity. \(VisibleText(failure.description))")
        case .event?:
            guard case .success(let event) = try answer.result(of: AwaitEvent.self) else { return }
            switch event {
            // Nothing is known of it that was not said at the start.
            case .save(let number, _): try ask(ReportSaved(number, nil), .saved)
            case .wasContinued(_, _, true), .ended: isWanted = false
            case .wasContinued, .continues, .streamWanted: break
            }
            try ask(AwaitEvent(), .event)
        case .saved?, nil: break
        }
    }

    // MARK: The process

    /// What is sent to this process is meant for the command.
    private static let passedOn = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]

    /// How it ended, as shells say it; nothing if it has not.
    private static func ending(of process: pid_t) -> Int32? {
        var status: Int32 = 0
        guard waitpid(process, &status, WNOHANG) == process else { return nil }
        let signal = status & 0x7f
        return signal == 0 ? status >> 8 & 0xff : 128 + signal
    }
}
