import BatonClient
package import BatonCore
import BatonNetwork
@preconcurrency import Glibc

/// Follows the activities of all machines, and shows notifications that offer to continue an activity on this machine.
package struct OfferWatch: ~Copyable {
    private var link: NodeLink
    private var watch = ActivityWatch()
    private var decision: OfferDecision
    private var shown: ShownOffer?
    /// The arguments of this program that continue an activity.
    ///
    /// The activity's identifier is added after them.
    private let command: [String]
    private let tell: (VisibleText) throws(LocalFailure) -> Void
    /// Whether the list of activities has arrived at least once.
    private var isReady = false
    /// The processes that were started to continue activities.
    ///
    /// Some may have ended without being reaped yet.
    private var running: [pid_t] = []
    /// Whether `notify-send` supports actions.
    ///
    /// It is true until an attempt fails.
    private var hasActions = true

    /// Prepares to watch the activities of a home.
    ///
    /// `tell` is called with sentences for the log.
    package init(
        _ home: Home, continuingBy command: [String], pace: OfferDecision.Pace = OfferDecision.Pace(),
        tell: @escaping (VisibleText) throws(LocalFailure) -> Void
    ) {
        link = NodeLink(home)
        decision = OfferDecision(pace)
        (self.command, self.tell) = (command, tell)
    }

    /// Runs until a failure occurs that another attempt would not fix.
    package mutating func run() throws(LocalFailure) {
        while true {
            let (ready, event) = link.wait(beside: [(shown?.descriptor ?? -1, Int16(POLLIN))])
            if ready[0] { try readOffer() }
            switch event {
            case .answers(let answers)?: for answer in answers { try receiveAnswer(answer) }
            case .returned?: try ask(watch.begin())
            case .failed(let failure)?: try link.lose(failure)
            case nil: break
            }
        }
    }

    private mutating func ask(_ call: some LocalCall) throws(LocalFailure) {
        do throws(LocalFailure) {
            _ = try link.send(call)
        } catch {
            try link.lose(error)
        }
    }

    private mutating func receiveAnswer(_ answer: LocalAnswer) throws(LocalFailure) {
        let (happenings, next): ([ActivityWatch.Happening], any LocalCall)
        do throws(LocalFailure) {
            (happenings, next) = try watch.receiveAnswer(answer)
        } catch {
            return try link.lose(error)
        }
        try ask(next)
        if !isReady, happenings.contains(.anew) {
            isReady = true
            try tell("Ready to offer here what you do on your other machines.")
        }
        if let offer = decision.receiveHappenings(happenings, at: .now, LocalClock.now) { try show(offer) }
    }

    // MARK: Notifications

    private mutating func show(_ summary: ActivitySummary) throws(LocalFailure) {
        shown = ShownOffer(summary, withAction: hasActions)
        guard shown == nil else { return }
        try tell("\(summary.label) can't be offered: notify-send can't be started. Install libnotify-bin.")
    }

    private mutating func readOffer() throws(LocalFailure) {
        guard let offer = shown, let outcome = offer.read() else { return }
        shown = nil
        switch outcome {
        case .dismissed: break
        case .chosen: try goOn(offer.summary)
        case .failed where offer.hasAction:
            // Versions of `notify-send` before 0.8 don't support actions.
            hasActions = false
            try show(offer.summary)
        case .failed(let status):
            hasActions = true
            try tell("\(offer.summary.label) could not be offered: notify-send ended with status \(status).")
        }
    }

    /// Starts another process that continues an activity.
    private mutating func goOn(_ summary: ActivitySummary) throws(LocalFailure) {
        guard let program = OwnProgram.path else { return }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        // No thread waits for these processes, so those that have ended are reaped here.
        running.removeAll { waitpid($0, nil, WNOHANG) != 0 }
        // The type makes sure that the right activity is continued. The app may have begun another one since the person
        // saw the offer.
        let words = [program] + command + ["--type", summary.activity.type, summary.identifier]
        var copies = words.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        var process = pid_t()
        let number = posix_spawn(&process, program, &actions, nil, &copies, environ)
        guard number == 0 else {
            return try tell("\(program) can't be started: \(SystemText.of(number)).")
        }
        running.append(process)
    }
}
