package import BatonCore
import BatonNetwork
import Glibc

/// The helper of one shell: reads what the shell reports, looks at the repository, and tells the node.
///
/// It runs beside the shell and ends with it. The shell never waits for it: a report is a small file that the shell
/// writes over, and if nobody reads it, nothing happens.
package struct ShellFollower: ~Copyable {
    private let shell: ShellInstance
    private let number: Int32
    private let files: ShellFiles
    private let settings: ShellSettings
    private let environment: (String) -> String?
    private let paths: PortablePaths
    private var visited: VisitedRepositories
    private var link: NodeLink

    /// The state of the shell, as far as it may be told.
    private var activity: ShellActivity?
    /// The state that the node was told last; nil for none.
    private var told: ShellActivity?
    /// Whether the node has an activity of this shell.
    private var isStarted = false
    private var lastTold = MonotonicTime.now
    /// Whether the shell was used since the node was told.
    private var isUsed = false
    /// The last line of the history when the shell was at its prompt.
    private var history: ShellReport.History?
    /// The command that runs, and when it is to be told.
    private var command: (line: ShellActivity.Command, due: MonotonicTime)?
    private var lookDue: MonotonicTime?
    private var lastLook: MonotonicTime?
    /// The calls that are not answered yet.
    private var asked: [UInt64: Question] = [:]

    private enum Question { case update, start, finish, settings }

    /// The time between two looks at a repository, however often a person presses Enter.
    private static let lookPause = Duration.seconds(2)
    /// A shell that is used is the latest activity of its person again after this time.
    private static let usePause = Duration.seconds(30)

    /// Prepares to follow a shell of this machine; returns nil if it has ended.
    package init?(
        _ number: Int32, home: Home, settings: ShellSettings, environment: @escaping (String) -> String?
    ) throws(LocalFailure) {
        guard let shell = try ShellInstance.followed(number) else { return nil }
        (self.shell, self.number, self.settings, self.environment) = (shell, number, settings, environment)
        files = ShellFiles(home)
        paths = PortablePaths(in: nil, home: environment("HOME"))
        visited = VisitedRepositories(environment: environment)
        link = NodeLink(home)
    }

    /// Follows the shell until it ends; returns at once if it is followed already.
    package mutating func run() throws(LocalFailure) {
        do throws(NetworkError) {
            try files.make()
            files.sweep()
            let path = files.report(of: number)
            // The lock is held by exactly one helper, and the shell writes without one.
            let file = try FileDescriptor.open(path, flags: O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
            guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else { return }
            let watch = try FileWatch(path)
            guard let end = try process.openEnd() else { return }
            // The shell may have written before it was watched.
            read(path)
            while true {
                let isOver = try follow(path, watch, end)
                if isOver { break }
            }
            unlink(path)
            unlink(files.answer(of: number))
        } catch {
            throw LocalFailure(.failed, "The shell can't be followed: \(error)")
        }
    }

    private var process: ProcessIdentity {
        ProcessIdentity(
            processID: number, startTicks: shell.process?.started ?? 0, bootID: shell.process?.boot ?? "")
    }

    /// Waits for the next event, and handles it; returns whether the shell has ended or is to be followed no more.
    private mutating func follow(
        _ path: String, _ watch: borrowing FileWatch, _ end: borrowing FileDescriptor
    ) throws(NetworkError) -> Bool {
        let wait = [lookDue, command?.due].compactMap(\.self).min().map { max($0 - .now, .zero) }
        let (ready, event) = link.wait(
            beside: [(end.number, Int16(POLLIN)), (watch.descriptor, Int16(POLLIN))], within: wait,
            reconnects: false)
        if ready[0] { return true }
        if ready[1] {
            let changes = watch.changes()
            if changes.isRemoved {
                finish()
                return true
            }
            if changes.isWritten { read(path) }
        }
        switch event {
        case .answers(let answers)?: take(answers)
        case .failed?: lose()
        case .returned?, nil: break
        }
        if let due = lookDue, due <= .now { look() }
        if let due = command?.due, due <= .now {
            activity?.command = command?.line
            command = nil
        }
        tell()
        return false
    }

    // MARK: The shell

    private mutating func read(_ path: String) {
        guard let bytes = ShellFiles.read(path), let report = ShellReport(bytes) else { return }
        isUsed = true
        command = nil
        if case .prompt = report.state { history = report.history }
        let home = environment("HOME")
        guard !settings.places.holds(folder: report.folder, home: home) else {
            (activity, lookDue) = (nil, nil)
            return
        }
        if activity?.folder != report.folder {
            activity = ShellActivity(folder: report.folder, session: activity?.session)
            lookDue = .now
        }
        activity?.command = nil
        switch report.state {
        case .prompt:
            lookDue = lookDue ?? lastLook.map { max(.now, $0 + Self.lookPause) } ?? .now
        case .command:
            guard let line = report.typed(after: history), !settings.places.holds(command: line) else {
                return
            }
            command = (ShellActivity.Command(line: line, start: LocalClock.now), .now + settings.commandPause)
        }
    }

    /// Looks at the repository, and at the session of the terminal.
    private mutating func look() {
        (lookDue, lastLook) = (nil, .now)
        askSettings()
        guard let folder = activity?.folder else { return }
        let (repository, session) = (visited.repository(at: folder), session)
        activity?.repository = repository
        activity?.session = session
    }

    /// The session of tmux or screen in which the shell is; nil for none.
    private var session: String? {
        if environment("TMUX") != nil, let pane = environment("TMUX_PANE") {
            let answer = ProgramOutput(
                of: ["tmux", "display-message", "-p", "-t", pane, "#S"], within: .seconds(1))
            let name = answer?.output.split(separator: "\n").first.map(String.init)
            return answer?.status == 0 ? name.map { "tmux \($0)" } : nil
        }
        return environment("STY").flatMap { name in
            name.firstIndex(of: ".").map { "screen \(name[name.index(after: $0)...])" }
        }
    }

    // MARK: The node

    /// Tells the node what it does not know yet.
    private mutating func tell() {
        guard asked.values.allSatisfy({ $0 == .settings }) else { return }
        let isOld = isUsed && lastTold + Self.usePause <= .now
        guard activity != told || activity != nil && isOld, isReached() else { return }
        let target = ActivityTarget.instance(app: ShellInstance.app, instance: shell.name)
        var activity = activity
        if let last = told, let next = activity, last.command != nil, last.folder != next.folder {
            // The node keeps the folder that is left, and must not keep it under the name of a command.
            activity = last
            activity?.command = nil
        }
        guard let activity, let change = activity.change(paths) else {
            if isStarted { ask(FinishActivity(target), .finish) }
            (told, isStarted) = (activity, false)
            return
        }
        if isStarted {
            ask(UpdateActivity(target, change), .update)
        } else {
            let start = StartActivity(
                app: ShellInstance.app, instance: shell.name,
                lifetime: shell.process.map { .process($0) } ?? .untilFinished,
                type: WellKnownType.folder.rawValue, change: change)
            ask(start, .start)
        }
        (told, isUsed, lastTold) = (activity, false, .now)
    }

    /// Ends the activity when the shell is followed no more.
    private mutating func finish() {
        guard isStarted else { return }
        ask(FinishActivity(.instance(app: ShellInstance.app, instance: shell.name)), .finish)
        _ = link.wait(within: .seconds(1), reconnects: false)
    }

    /// Whether there is a connection to the node; tries to connect, without waiting for a node that does not run.
    private mutating func isReached() -> Bool {
        if link.isConnected { return true }
        do throws(LocalFailure) {
            try link.connect()
            return true
        } catch {
            return false
        }
    }

    private mutating func ask(_ call: some LocalCall, _ question: Question) {
        do throws(LocalFailure) {
            asked[try link.send(call)] = question
        } catch {
            lose()
        }
    }

    private mutating func askSettings() {
        guard !asked.values.contains(.settings), isReached() else { return }
        ask(GetSettings(), .settings)
    }

    /// The node is told again once the shell is used again and a node runs.
    private mutating func lose() {
        do throws(LocalFailure) {
            try link.lose(LocalFailure(.noNode, "The node has stopped."))
        } catch {
            // A failure of this kind is never thrown again.
        }
        (asked, told) = ([:], nil)
    }

    private mutating func take(_ answers: [LocalAnswer]) {
        for answer in answers {
            switch asked.removeValue(forKey: answer.number) {
            case .settings?: takeSettings(answer)
            case .update? where answer.isFailure:
                // The node does not know the activity any more, so it is begun anew.
                (isStarted, told) = (false, nil)
            case .start?: isStarted = !answer.isFailure
            case .update?, .finish?, nil: break
            }
        }
    }

    private func takeSettings(_ answer: LocalAnswer) {
        do throws(LocalFailure) {
            guard case .success(let settings) = try answer.result(of: GetSettings.self) else { return }
            let word = settings[.private] == 0 ? "" : "private"
            if files.shownSegment != word { files.showSegment(word) }
        } catch {
            // An answer that can't be read comes from a newer node; the prompt shows what it showed.
        }
    }
}
