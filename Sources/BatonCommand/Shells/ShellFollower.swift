import BatonClient
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
    /// The line that runs, and when its command is to be looked at.
    private var line: RunningLine?
    /// Readable once the process whose command is told has ended.
    private var commandEnd: FileDescriptor?
    private var lookDue: MonotonicTime?
    private var lastLook: MonotonicTime?
    /// The calls that are not answered yet.
    private var asked: [UInt64: Question] = [:]

    /// A line that a shell runs.
    private struct RunningLine {
        let text: String
        /// The folder in which the shell said that it began.
        let folder: String
        /// When the command that runs now began.
        var start: WallTime
        /// When to look at what runs; nil if that is known until it ends.
        var due: MonotonicTime?
        /// The time until the next look while the shell itself runs, which grows.
        var pause = ShellFollower.firstPause
    }

    private enum Question { case update, start, finish, settings }

    /// The time between two looks at a repository, however often a person presses Enter.
    private static let lookPause = Duration.seconds(2)
    /// The times between two looks at what runs while the shell itself does, as for a command of its own.
    private static let firstPause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(300)
    /// A shell that is used is the latest activity of its person again after this time.
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
        // The command may run in another folder, whose repository is looked at then.
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

    /// Takes up the folder of the shell, without a command; nothing is told of a private one.
    private mutating func enter(_ folder: String) {
        if isPrivate(folder) {
            (activity, lookDue) = (nil, nil)
        } else if activity?.folder != folder {
            activity = ShellActivity(folder: folder, session: activity?.session)
            lookDue = .now
        }
        activity?.command = nil
    }

    /// Whether a folder is private, by the name under which the shell knows it or that of the folder to which links lead.
    private func isPrivate(_ folder: String) -> Bool {
        let home = environment("HOME")
        let homes = [home, home.flatMap { LocalPath.resolved($0) }]
        return [folder, LocalPath.resolved(folder) ?? folder].contains { folder in
            homes.contains { settings.places.holds(folder: folder, home: $0) }
        }
    }

    // MARK: The command

    /// Looks where the shell is and which command runs, once its line has run for a while.
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
        // A subshell that leads the group goes on with other commands.
        let own = group?.members.first { told?.names(process: $0.name) == true }
        if let process = own ?? group?.members.first {
            watchEnd(of: process.processID)
        } else if told == nil {
            self.line?.due = .now + line.pause
            self.line?.pause = min(line.pause * 2, Self.longestPause)
        }
    }

    /// Returns the folder in which the shell is now, under the name that it reported if that leads there; nil if it is
    /// not known.
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

    /// Waits for the end of the process that runs the command, because the line may go on with another command.
    private mutating func watchEnd(of process: Int32) {
        do throws(NetworkError) {
            commandEnd = try ProcessIdentity.find(process)?.openEnd()
        } catch {
            // The command is told until the shell is at its prompt again.
            return
        }
        if commandEnd == nil { endCommand() }
    }

    /// Tells the command no more, and looks for the next one of the line after a while.
    private mutating func endCommand() {
        commandEnd = nil
        activity?.command = nil
        line?.start = LocalClock.now
        line?.due = .now + settings.commandPause
    }

    // MARK: The repository and the session

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

    private mutating func receiveAnswers(_ answers: [LocalAnswer]) {
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
