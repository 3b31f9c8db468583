import BatonClient
package import BatonCore
import BatonNetwork
import Glibc

/// The helper of one shell: reads the shell's reports and the repository, and sends the node the shell's activity.
///
/// It runs beside the shell and ends with it. The shell never waits for it: a report is a small file that the shell
/// overwrites, even if no helper reads it.
package struct ShellFollower: ~Copyable {
    private let shell: ShellInstance
    private let number: Int32
    private let files: ShellFiles
    private let settings: ShellSettings
    private let environment: (String) -> String?
    private let paths: PortablePaths
    private var visited: VisitedRepositories
    private var link: NodeLink

    /// The state of the shell, without what must not be told.
    private var activity: ShellActivity?
    /// The state that was last sent to the node; nil for none.
    private var told: ShellActivity?
    /// Whether the node has an activity of this shell.
    private var isStarted = false
    private var lastTold = MonotonicTime.now
    /// Whether the shell was used since the last state was sent.
    private var isUsed = false
    /// The last line of the history when the shell last showed its prompt.
    private var history: ShellReport.History?
    /// The line that runs, with the time of the next look at its command.
    private var line: RunningLine?
    /// Becomes readable once the process of the current command has ended.
    private var commandEnd: FileDescriptor?
    private var lookDue: MonotonicTime?
    private var lastLook: MonotonicTime?
    /// The calls that are not answered yet.
    private var asked: [UInt64: Question] = [:]

    /// A line that a shell runs.
    private struct RunningLine {
        let text: String
        /// The folder of the shell when the line began, as the shell reported it.
        let folder: String
        /// When the line's current command began.
        var start: WallTime
        /// When to look at the current command; nil if it is known until it ends.
        var due: MonotonicTime?
        /// The time until the next look while only the shell itself runs; it grows with each look.
        var pause = ShellFollower.firstPause
    }

    private enum Question { case update, start, finish, settings }

    /// The shortest time between two looks at a repository, however often the person presses Enter.
    private static let lookPause = Duration.seconds(2)
    /// The times between two looks at the current command while only the shell itself runs.
    private static let firstPause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(300)
    /// The time after which a state is sent again if the shell was used, so that it counts as the person's latest
    /// activity.
    private static let usePause = Duration.seconds(30)

    /// Prepares to follow a shell of this machine; returns nil if it has ended.
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

    /// Follows the shell until it ends; returns immediately if it already has a helper.
    package mutating func run() throws(LocalFailure) {
        do throws(NetworkError) {
            try files.make()
            files.sweep()
            let path = files.report(of: number)
            // Exactly one helper holds the lock; the shell writes without it.
            let file = try FileDescriptor.open(path, flags: O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
            guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else { return }
            let watch = try FileWatch(path)
            guard let end = try process.openEnd() else { return }
            // The shell may have written before the watch began.
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

    /// Waits for the next event, and handles it; returns true if the shell has ended or is no longer to be
    /// followed.
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
        // The command may run in another folder, so this comes before the look at the repository.
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

    /// Makes a folder the shell's present one, without a command; a private folder leaves no activity.
    private mutating func enter(_ folder: String) {
        if isPrivate(folder) {
            (activity, lookDue) = (nil, nil)
        } else if activity?.folder != folder {
            activity = ShellActivity(folder: folder, session: activity?.session)
            lookDue = .now
        }
        activity?.command = nil
    }

    /// Whether a folder is private, by the name that the shell reported or by the path with links resolved.
    private func isPrivate(_ folder: String) -> Bool {
        let home = environment("HOME")
        let homes = [home, home.flatMap { LocalPath.resolved($0) }]
        return [folder, LocalPath.resolved(folder) ?? folder].contains { folder in
            homes.contains { settings.places.holds(folder: folder, home: $0) }
        }
    }

    // MARK: The command

    /// Finds the shell's folder and the current command of its line, once the line has run for a while.
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
        // A subshell that leads the group continues with other commands, so a process of the command itself is
        // preferred.
        let own = group?.members.first { told?.names(process: $0.name) == true }
        if let process = own ?? group?.members.first {
            watchEnd(of: process.processID)
        } else if told == nil {
            self.line?.due = .now + line.pause
            self.line?.pause = min(line.pause * 2, Self.longestPause)
        }
    }

    /// Returns the shell's present folder, under the reported name if that leads there; nil if it is not known.
    private func presentFolder(reported: String) -> String? {
        guard let present = LocalPath.resolved("/proc/\(number)/cwd") else { return nil }
        return LocalPath.resolved(reported) == present ? reported : present
    }

    /// The processes in the foreground of the shell's terminal; nil if there are none or they are not known.
    private var foreground: ForegroundGroup? {
        do throws(NetworkError) {
            return try ForegroundGroup.find(of: number)
        } catch {
            return nil
        }
    }

    /// Watches the process of the current command, because the line may continue with another command.
    private mutating func watchEnd(of process: Int32) {
        do throws(NetworkError) {
            commandEnd = try ProcessIdentity.find(process)?.openEnd()
        } catch {
            // The command stays in the activity until the shell shows its prompt.
            return
        }
        if commandEnd == nil { endCommand() }
    }

    /// Removes the command from the activity, and schedules a look at the line's next command.
    private mutating func endCommand() {
        commandEnd = nil
        activity?.command = nil
        line?.start = LocalClock.now
        line?.due = .now + settings.commandPause
    }

    // MARK: The repository and the session

    /// Reads the repository, and the session of the terminal.
    private mutating func look() {
        (lookDue, lastLook) = (nil, .now)
        askSettings()
        guard let folder = activity?.folder else { return }
        let (repository, session) = (visited.repository(at: folder), session)
        activity?.repository = repository
        activity?.session = session
    }

    /// The tmux or screen session of the shell; nil for none.
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

    /// Sends the node the state that it does not know yet.
    private mutating func tell() {
        guard asked.values.allSatisfy({ $0 == .settings }) else { return }
        let isOld = isUsed && lastTold + Self.usePause <= .now
        guard activity != told || activity != nil && isOld, isReached() else { return }
        let target = ActivityTarget.instance(app: ShellInstance.app, instance: shell.name)
        var activity = activity
        if let last = told, let next = activity, last.command != nil, last.folder != next.folder {
            // The node remembers the folder that the shell leaves, and must not remember it with the title of a
            // command.
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

    /// Ends the activity, because the shell is no longer followed.
    private mutating func finish() {
        guard isStarted else { return }
        ask(FinishActivity(.instance(app: ShellInstance.app, instance: shell.name)), .finish)
        _ = link.wait(within: .seconds(1), reconnects: false)
    }

    /// Whether the node is connected; connects if a node runs, without waiting for one.
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

    /// Drops the connection; the state is sent again once the shell is used and a node runs.
    private mutating func lose() {
        do throws(LocalFailure) {
            try link.lose(LocalFailure(.noNode, "The node has stopped."))
        } catch {
            // `lose` throws only failures that don't pass by themselves, and `noNode` does.
        }
        (asked, told) = ([:], nil)
    }

    private mutating func receiveAnswers(_ answers: [LocalAnswer]) {
        for answer in answers {
            switch asked.removeValue(forKey: answer.number) {
            case .settings?: takeSettings(answer)
            case .update? where answer.isFailure:
                // The node no longer knows the activity, so it is started again.
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
            // An unreadable answer comes from a newer node; the prompt stays as it is.
        }
    }
}
