import BatonClient
package import BatonCore
import BatonNetwork
import Glibc

/// The helper of one shell, which tells the node what the shell does.
///
/// It reads the shell's reports and looks at the repository. It runs beside the shell, and ends when the shell ends.
/// The shell never waits for the helper: it overwrites a small file with each report, even if no helper reads the file.
package struct ShellFollower: ~Copyable {
    private let shell: ShellInstance
    private let number: Int32
    private let files: ShellFiles
    private let settings: ShellSettings
    private let environment: (String) -> String?
    private let paths: PortablePaths
    private var visited: VisitedRepositories
    private var link: NodeLink

    /// The state of the shell, as far as other machines may know it; nil if they may know nothing.
    private var activity: ShellActivity?
    /// The state that was last sent to the node, or nil if the node has none.
    private var told: ShellActivity?
    /// Whether the node has a current activity of this shell.
    private var isStarted = false
    private var lastTold = MonotonicTime.now
    /// Whether the shell was used after the last state was sent.
    private var isUsed = false
    /// The last line of the shell's history when the shell last showed its prompt.
    private var history: ShellReport.History?
    /// The line that the shell runs, or nil if it is at its prompt.
    private var line: RunningLine?
    /// A descriptor that becomes readable when the process of the current command ends.
    private var commandEnd: FileDescriptor?
    private var lookDue: MonotonicTime?
    private var lastLook: MonotonicTime?
    /// The unanswered calls, by the number of the call.
    private var asked: [UInt64: Question] = [:]

    /// A line that a shell runs.
    private struct RunningLine {
        let text: String
        /// The folder in which the shell was when the line began, as the shell reported it.
        let folder: String
        /// The time when the line's current command began.
        var start: WallTime
        /// The time of the next look at the current command.
        ///
        /// It is nil if no look is needed before the command ends.
        var due: MonotonicTime?
        /// The time until the next look, if no other process runs.
        ///
        /// It doubles with each look.
        var pause = ShellFollower.firstPause
    }

    private enum Question { case update, start, finish, settings }

    /// The shortest time between two looks at a repository, even if the person presses Enter more often.
    private static let lookPause = Duration.seconds(2)
    /// The shortest and the longest time between two looks at the current command, while no other process runs.
    private static let firstPause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(300)
    /// The time after which the same state is sent again if the shell was used.
    ///
    /// Thus the shell's activity counts as the person's latest activity.
    private static let usePause = Duration.seconds(30)

    /// Prepares to follow a shell of this machine; nil if the shell has ended.
    package init?(
        _ number: Int32, home: Home, settings: ShellSettings, environment: @escaping (String) -> String?
    ) throws(LocalFailure) {
        guard let shell = try ShellInstance.followed(number) else { return nil }
        self.shell = shell
        self.number = number
        self.settings = settings
        self.environment = environment
        files = ShellFiles(home)
        paths = PortablePaths(in: nil, home: environment("HOME"))
        visited = VisitedRepositories(environment: environment)
        link = NodeLink(home)
    }

    /// Follows the shell until it ends.
    ///
    /// If the shell already has a helper, returns at once.
    package mutating func run() throws(LocalFailure) {
        do throws(NetworkError) {
            try files.make()
            files.sweep()
            let path = files.report(of: number)
            // Only one helper can hold the lock. The shell does not need the lock to write.
            let file = try FileDescriptor.open(path, flags: O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
            guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else { return }
            let watch = try FileWatch(path)
            guard let end = try process.openEnd() else { return }
            // The shell may have written a report before the watch began.
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

    /// Waits for the next event, and handles it.
    ///
    /// Returns true if the shell has ended, or if the person no longer wants it to be followed.
    private mutating func follow(
        _ path: String, _ watch: borrowing FileWatch, _ end: borrowing FileDescriptor
    ) throws(NetworkError) -> Bool {
        let wait = [lookDue, line?.due].compactMap(\.self).min().map { max($0 - .now, .zero) }
        var beside = [(descriptor: end.number, events: Int16(POLLIN)), (watch.descriptor, Int16(POLLIN))]
        if let number = commandEnd?.number { beside.append((number, Int16(POLLIN))) }
        let (ready, event) = link.wait(beside: beside, within: wait, reconnects: false)
        if ready[0] { return true }
        if ready[1] {
            let changes = watch.changes()
            if changes.isRemoved {
                finish()
                return true
            }
            if changes.isWritten { read(path) }
        } else if ready.count > 2, ready[2] {
            endCommand()
        }
        switch event {
        case .answers(let answers)?: receiveAnswers(answers)
        case .failed?: lose()
        case .returned?, nil: break
        }
        // The command may be in another folder. So it is examined before the repository.
        if let due = line?.due, due <= .now { lookAtCommand() }
        if let due = lookDue, due <= .now { look() }
        tell()
        return false
    }

    // MARK: The shell

    private mutating func read(_ path: String) {
        guard let bytes = ShellFiles.read(path), let report = ShellReport(bytes) else { return }
        isUsed = true
        line = nil
        commandEnd = nil
        if case .prompt = report.state { history = report.history }
        enter(report.folder)
        switch report.state {
        case .prompt:
            guard activity != nil else { return }
            lookDue = lookDue ?? lastLook.map { max(.now, $0 + Self.lookPause) } ?? .now
        case .command:
            guard let text = report.typed(after: history), !settings.places.holds(command: text) else {
                return
            }
            line = RunningLine(
                text: text, folder: report.folder, start: LocalClock.now, due: .now + settings.commandPause)
        }
    }

    /// Changes to a folder, and removes the command.
    ///
    /// If the folder is private, there is no activity.
    private mutating func enter(_ folder: String) {
        if isPrivate(folder) {
            (activity, lookDue) = (nil, nil)
        } else if activity?.folder != folder {
            activity = ShellActivity(folder: folder, session: activity?.session)
            lookDue = .now
        }
        activity?.command = nil
    }

    /// Whether a folder is private.
    ///
    /// The reported path counts, and so does the path with its links resolved.
    private func isPrivate(_ folder: String) -> Bool {
        let home = environment("HOME")
        let homes = [home, home.flatMap { LocalPath.resolved($0) }]
        return [folder, LocalPath.resolved(folder) ?? folder].contains { folder in
            homes.contains { settings.places.holds(folder: folder, home: $0) }
        }
    }

    // MARK: The command

    /// Finds the present folder and the current command, after the line has run for a while.
    private mutating func lookAtCommand() {
        guard let line else { return }
        self.line?.due = nil
        guard let folder = presentFolder(reported: line.folder) else { return }
        enter(folder)
        guard activity != nil else { return }
        let group = foreground
        let told = ToldCommand.running(
            group.map { $0.members.map(\.name) }, of: line.text, by: settings, in: folder,
            home: environment("HOME"))
        activity?.command = told.map { ShellActivity.Command(told: $0, start: line.start) }
        // The first process may be a subshell that also runs the next command. So a process of the command itself is
        // preferred.
        let own = group?.members.first { told?.names(process: $0.name) == true }
        if let process = own ?? group?.members.first {
            watchEnd(of: process.processID)
        } else if told == nil {
            self.line?.due = .now + line.pause
            self.line?.pause = min(line.pause * 2, Self.longestPause)
        }
    }

    /// Returns the shell's present folder, or nil if it is unknown.
    ///
    /// If the reported path leads to the folder, it is returned unchanged. Otherwise, the path has its links resolved.
    private func presentFolder(reported: String) -> String? {
        guard let present = LocalPath.resolved("/proc/\(number)/cwd") else { return nil }
        return LocalPath.resolved(reported) == present ? reported : present
    }

    /// The processes in the foreground of the shell's terminal, or nil if there are none or they are unknown.
    private var foreground: ForegroundGroup? {
        do throws(NetworkError) {
            return try ForegroundGroup.find(of: number)
        } catch {
            return nil
        }
    }

    /// Waits for the end of the current command's process, because the line may continue with another command.
    private mutating func watchEnd(of process: Int32) {
        do throws(NetworkError) {
            commandEnd = try ProcessIdentity.find(process)?.openEnd()
        } catch {
            // The command then remains in the activity until the shell shows its prompt.
            return
        }
        if commandEnd == nil { endCommand() }
    }

    /// Removes the command from the activity.
    ///
    /// The line's next command is examined after a while.
    private mutating func endCommand() {
        commandEnd = nil
        activity?.command = nil
        line?.start = LocalClock.now
        line?.due = .now + settings.commandPause
    }

    // MARK: The repository and the session

    /// Reads the repository of the folder, and the session in which the shell runs.
    private mutating func look() {
        (lookDue, lastLook) = (nil, .now)
        askSettings()
        guard let folder = activity?.folder else { return }
        let (repository, session) = (visited.repository(at: folder), session)
        activity?.repository = repository
        activity?.session = session
    }

    /// The session of tmux or screen in which the shell runs, or nil if it runs in none.
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

    /// Sends the node the state, if the node does not have it yet.
    private mutating func tell() {
        guard asked.values.allSatisfy({ $0 == .settings }) else { return }
        let isOld = isUsed && lastTold + Self.usePause <= .now
        guard activity != told || activity != nil && isOld, isReached() else { return }
        let target = ActivityTarget.instance(app: ShellInstance.app, instance: shell.name)
        var activity = activity
        if let last = told, let next = activity, last.command != nil, last.folder != next.folder {
            // The node remembers the folder that the shell leaves. Its title must not be that of a command.
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

    /// Ends the activity, because the shell is not followed any more.
    private mutating func finish() {
        guard isStarted else { return }
        ask(FinishActivity(.instance(app: ShellInstance.app, instance: shell.name)), .finish)
        _ = link.wait(within: .seconds(1), reconnects: false)
    }

    /// Connects to the node if there is no connection.
    ///
    /// Returns whether there is one, without waiting for a node.
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

    /// Called when the connection is lost.
    ///
    /// The state is sent again after the shell was used, if a node runs then.
    private mutating func lose() {
        do throws(LocalFailure) {
            try link.lose(LocalFailure(.noNode, "The node has stopped."))
        } catch {
            // `lose` throws only if waiting does not help. With `noNode`, waiting helps.
        }
        (asked, told) = ([:], nil)
    }

    private mutating func receiveAnswers(_ answers: [LocalAnswer]) {
        for answer in answers {
            switch asked.removeValue(forKey: answer.number) {
            case .settings?: takeSettings(answer)
            case .update? where answer.isFailure:
                // The node does not know the activity any more, so the helper starts it again.
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
            // A newer node has sent an answer that can't be read. The prompts remain unchanged.
        }
    }
}
