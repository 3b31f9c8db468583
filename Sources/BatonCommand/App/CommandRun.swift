import BatonClient
package import BatonCore
import BatonNetwork
import Glibc

/// Runs a command, and has an activity for as long as the command runs.
///
/// The command has priority: without a node, it runs without an activity. The activity starts once a node runs.
package struct CommandRun: ~Copyable {
    private let start: StartActivity
    private var link: NodeLink
    private let tell: (VisibleText) throws(LocalFailure) -> Void
    /// The purposes of the unanswered calls, by the number of the call.
    private var purposes: [UInt64: Purpose] = [:]
    /// Whether the activity should exist; false after somebody ended it or the node refused it.
    private var isWanted = true

    private enum Purpose { case start, event, saved }

    /// Prepares a run.
    ///
    /// `tell` is called with each problem that concerns the activity.
    package init(
        _ home: Home, _ start: StartActivity, tell: @escaping (VisibleText) throws(LocalFailure) -> Void
    ) {
        (self.start, self.tell) = (start, tell)
        link = NodeLink(home)
    }

    /// Runs the command until it ends; returns the exit status that a shell would report for it.
    package mutating func run(_ words: [String]) throws(LocalFailure) -> Int32 {
        // The caller may have ignored SIGCHLD. But by this signal, this process learns that the command has ended.
        signal(SIGCHLD, SIG_DFL)
        let signals: SignalQueue
        do throws(NetworkError) {
            signals = try SignalQueue([SIGCHLD] + Self.passedOn)
        } catch {
            throw LocalFailure(.failed, "The command could not be started: \(error)")
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
            let (_, event) = link.wait(beside: [(signals.descriptor, Int16(POLLIN))], reconnects: isWanted)
            while let arrival = signals.next() {
                guard arrival.signal == SIGCHLD else {
                    // A signal from the terminal has already reached the command, too.
                    if !arrival.isOfTerminal { kill(process, arrival.signal) }
                    continue
                }
                if let status = Self.ending(of: process) { return status }
            }
            if let event { try receiveEvent(event) }
        }
    }

    // MARK: The node

    private mutating func receiveEvent(_ event: NodeLink.Event) throws(LocalFailure) {
        do throws(LocalFailure) {
            switch event {
            case .answers(let answers): for answer in answers { try receiveAnswer(answer) }
            case .returned: try begin()
            case .failed(let failure): throw failure
            }
        } catch {
            purposes = [:]
            do throws(LocalFailure) {
                try link.lose(error)
            } catch {
                isWanted = false
                try tell("The command continues without an activity. \(VisibleText(error.description))")
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

    private mutating func receiveAnswer(_ answer: LocalAnswer) throws(LocalFailure) {
        switch purposes.removeValue(forKey: answer.number) {
        case .start?:
            guard case .failure(let failure) = try answer.result(of: StartActivity.self) else { return }
            isWanted = false
            try tell("The command runs without an activity. \(VisibleText(failure.description))")
        case .event?:
            guard case .success(let event) = try answer.result(of: AwaitEvent.self) else { return }
            switch event {
            // The activity does not change after its start, so there is nothing to save.
            case .save(let number, _): try ask(ReportSaved(number, nil), .saved)
            case .wasContinued(_, _, true), .ended: isWanted = false
            case .wasContinued, .continues, .streamWanted, .opens: break
            }
            try ask(AwaitEvent(), .event)
        case .saved?, nil: break
        }
    }

    // MARK: The process

    /// The signals that this process passes on to the command.
    private static let passedOn = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]

    /// Returns the exit status of a process as shells report it, or nil if it is still running.
    private static func ending(of process: pid_t) -> Int32? {
        var status: Int32 = 0
        guard waitpid(process, &status, WNOHANG) == process else { return nil }
        let signal = status & 0x7f
        return signal == 0 ? status >> 8 & 0xff : 128 + signal
    }
}
