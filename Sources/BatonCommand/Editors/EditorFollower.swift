package import BatonClient
package import BatonCore
import BatonNetwork
import Glibc

/// Helps the plugin of one editor: tells the node what the person edits, and lets the editor open what is continued in
/// it.
///
/// The helper also looks at the repository of the current file. The plugin and the helper exchange lines of JSON. The
/// plugin never waits for the helper. Without a node, the helper continues to read the plugin's lines. It ends with the
/// editor.
package struct EditorFollower: ~Copyable {
    private let editor: Editor
    private let instance: ShellInstance
    /// The shell in which the editor runs, or nil if no shell is followed there.
    private let shell: ShellInstance?
    private let places: PrivatePlaces
    private let environment: (String) -> String?
    private let paths: PortablePaths
    private var visited: VisitedRepositories
    private let print: (JSON) throws(LocalFailure) -> Void
    private var input: InputLines
    private var link: NodeLink

    /// The state of the editor, as far as other machines may know it; nil before the plugin's first report.
    private var state: EditorState?
    /// Whether the person has already been told that a line was malformed.
    private var hasComplained = false
    /// Whether other machines may not know the current file.
    private var isSecret = false
    /// The repository of the current file's folder, and the time when the helper looked at it.
    private var repository: (folder: String, found: Repository?, seen: MonotonicTime)?
    /// Whether the repository has probably changed since the helper looked at it.
    private var mustLook = false
    /// The last registration and the last activity that were sent to the node; nil before the first one.
    private var registered: AppRegistration?
    private var told: ActivityChange?
    /// Whether the node has a current activity of this editor.
    private var isStarted = false
    /// The files that the editor may be asked to open, by the number of the node's event that asks for it.
    private var offers: [UInt64: (opening: FileOpening, line: VisibleText)] = [:]
    /// The unanswered calls, by the number of the call.
    private var asked: [UInt64: Question] = [:]
    /// The time until the next attempt to connect to the node.
    ///
    /// It doubles with each failed attempt.
    private var pause = Self.firstPause
    private var lastAttempt: MonotonicTime?

    /// The reason why a call was made.
    private enum Question {
        case register, start, update, finish, saved, event
        /// Confirms that the editor opens the files of the event with this number.
        case opened(UInt64)
        case fetch(Stopwatch)
        case confirm(FileOpening, VisibleText)

        /// Whether the call tells the node about the state of the editor.
        var isAboutState: Bool {
            switch self {
            case .register, .start, .update, .finish, .saved: true
            case .event, .opened, .fetch, .confirm: false
            }
        }
    }

    /// The time after which the helper looks at a repository again, while the person stays in one folder.
    private static let lookPause = Duration.seconds(5)
    private static let firstPause = Duration.milliseconds(300)
    private static let longestPause = Duration.seconds(30)
    /// The maximum size of a file whose changes are sent or applied.
    private static let fileBytes = 1 << 20
    /// The number of calls that are kept free, because the node's requests must be answered, too.
    private static let spare = 8

    /// Prepares to follow the editor that has started this process.
    package init(
        _ editor: Editor, home: Home, places: PrivatePlaces, environment: @escaping (String) -> String?,
        print: @escaping (JSON) throws(LocalFailure) -> Void
    ) throws(LocalFailure) {
        let instance = try ShellInstance.meant(by: nil, kind: "editor")
        let shell = try ShellFiles(home).shell(around: getpid())
        self.editor = editor
        self.places = places
        self.environment = environment
        self.print = print
        (self.instance, self.shell) = (instance, shell)
        paths = PortablePaths(in: nil, home: environment("HOME"))
        visited = VisitedRepositories(RepositoryReader(patience: .seconds(1)), environment: environment)
        input = InputLines()
        link = NodeLink(home)
    }

    /// Follows the editor until the editor closes the helper's input.
    package mutating func run() throws(LocalFailure) {
        while true {
            while let line = input.arrived() { try receiveLine(line) }
            if input.isOver { return }
            seek()
            tell()
            let wait = link.isConnected ? nil : max((lastAttempt ?? .now) + pause - .now, .zero)
            let (ready, event) = link.wait(
                beside: [(input.descriptor, Int16(POLLIN))], within: wait, reconnects: false)
            if ready[0] { try input.read() }
            switch event {
            case .answers(let answers)?:
                for answer in answers { try receiveAnswer(answer) }
            case .failed?: lose()
            case .returned?, nil: break
            }
        }
    }

    // MARK: The editor

    private mutating func receiveLine(_ line: LineBuffer.Line) throws(LocalFailure) {
        let json: JSON
        do throws(JSONError) {
            guard case .whole(let bytes) = line else { throw JSONError("a line is too long") }
            json = try JSON(reading: bytes)
            if let at = json["at"] { try receivePlace(at) }
            // This editor is used now, although its state has not changed. Registering again tells the node so.
            if json["focus"]?.boolean == true { registered = nil }
        } catch {
            // A file name that is not UTF-8 would make every report malformed. So the person is told only once.
            guard !hasComplained else { return }
            hasComplained = true
            return try tell(
                person: "The plugin of \(editor.title) sent a malformed message: \(error.text)")
        }
        if let number = Self.number(json["saved"]) {
            saved(number, json["texts"])
        } else if let number = Self.number(json["ready"]) {
            if offers[number] != nil { ask(ReportOpened(number), .opened(number)) }
        } else if let name = json["continue"] {
            try fetch(name.string)
        } else if let file = json["apply"]?.string, let diff = json["diff"]?.string {
            try apply(diff, to: file, beside: json["beside"]?.string ?? state?.file ?? "")
        }
    }

    private static func number(_ json: JSON?) -> UInt64? { json?.integer.flatMap { UInt64(exactly: $0) } }

    private mutating func receivePlace(_ at: JSON) throws(JSONError) {
        let all = try EditorState(at)
        let new = all.visible(places, home: environment("HOME"), paths)
        isSecret = all.file != nil && new.file == nil
        // A file has just been saved, so the state of the repository has probably changed.
        if let state, !Set(state.unsaved).isSubset(of: new.unsaved) { mustLook = true }
        state = new
        // A person is working here. If a node was started in the meantime, it should be found soon.
        pause = Self.firstPause
    }

    /// Sends the node the latest state, for which it waits, and the unsaved changes that the plugin has sent.
    private mutating func saved(_ number: UInt64, _ texts: JSON?) {
        var change = change(state, with: changes(texts))
        if change == told { change = nil }
        ask(ReportSaved(number, change), .saved)
        told = change ?? told
    }

    /// Returns the change that gives the activity this state, or nil if the state has no file.
    private func change(_ state: EditorState?, with changes: [FileOpening.Change] = []) -> ActivityChange? {
        state?.change(in: repository?.found, with: changes, of: shell, paths)
    }

    /// Returns the difference between each saved file and the text that the editor has for it.
    private func changes(_ texts: JSON?) -> [FileOpening.Change] {
        guard let state, let names = texts?.keys else { return [] }
        var (changes, bytes): ([FileOpening.Change], Int) = ([], 0)
        for name in names where state.unsaved.contains(name) {
            guard let text = texts?[name]?.string, text.utf8.count <= Self.fileBytes,
                let old = Self.read(name), String(validating: old, as: UTF8.self) != nil
            else { continue }
            let diff = UnifiedDiff.text(from: old, to: Array(text.utf8), name: LocalPath.name(of: name))
            // Changes beyond the limit are left out. Otherwise, they would take the space of the rest of the payload.
            // The other machine still tells the person that there are changes.
            guard !diff.isEmpty, bytes + diff.utf8.count <= FileOpening.changesBytes else { continue }
            bytes += diff.utf8.count
            changes.append(FileOpening.Change(path: name, diff: diff))
        }
        return changes
    }

    /// Applies the changes of another machine to the text of a file, and sends the new text to the editor.
    ///
    /// The path was already checked when the file was offered. It is checked again, because a link may have changed
    /// since then.
    private func apply(_ diff: String, to path: String, beside own: String) throws(LocalFailure) {
        let scope = ChangeScope(own, home: environment("HOME"), places: places)
        if let problem = scope.problem(with: path) {
            return try tell(person: "Changes of \(paths.portable(path)) are not applied: \(problem).")
        }
        guard let old = Self.read(path), let new = UnifiedDiff.apply(diff, to: old),
            let text = String(validating: new, as: UTF8.self)
        else {
            return try tell(
                person:
                    "The changes do not fit \(paths.portable(path)) here; look at them with `:Baton diff`."
            )
        }
        try print(EditorEvent.applied(path, text))
    }

    private static func read(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        do throws(SmallFile.Failure) {
            return try SmallFile.read(file, most: fileBytes)
        } catch {
            // A file that is too large or can't be read takes part in no changes.
            return nil
        }
    }

    private func tell(person text: VisibleText) throws(LocalFailure) { try print(EditorEvent.tell(text)) }

    // MARK: The node

    /// Connects to the node if there is no connection and the pause has ended.
    private mutating func seek() {
        guard !link.isConnected, lastAttempt.map({ $0 + pause <= .now }) ?? true else { return }
        if lastAttempt != nil { pause = min(pause * 2, Self.longestPause) }
        lastAttempt = .now
        do throws(LocalFailure) {
            try link.connect()
            ask(AwaitEvent(), .event)
            pause = Self.firstPause
        } catch {
            // Nothing is sent without a node. A command that needs the node tells the person that there is none.
        }
    }

    /// Sends the node the part of the editor's state that it does not know yet.
    ///
    /// Only one such call is unanswered at a time.
    private mutating func tell() {
        guard link.isConnected, let state, !asked.values.contains(where: \.isAboutState) else { return }
        let registration = registration(for: state)
        if registration != registered {
            registered = registration
            return ask(RegisterApp(registration), .register)
        }
        look()
        let target = ActivityTarget.instance(app: editor.app, instance: instance.name)
        guard let change = change(state) else {
            if isStarted { ask(FinishActivity(target), .finish) }
            (told, isStarted) = (nil, false)
            return
        }
        guard change != told else { return }
        told = change
        if isStarted { return ask(UpdateActivity(target, change), .update) }
        ask(
            StartActivity(
                app: editor.app, instance: instance.name, lifetime: .connection,
                type: WellKnownType.file.rawValue, change: change), .start)
    }

    /// Returns a registration by which the editor opens files in its working folder.
    ///
    /// If the working folder is the home folder or contains it, the editor has no particular folder. If its current
    /// file is secret, such as the message of a commit, the editor serves only that file. In both cases, the folder of
    /// the registration is empty, so the editor only gets files that are continued in one of its own terminals.
    private func registration(for state: EditorState) -> AppRegistration {
        let folder = LocalPath.resolved(state.folder) ?? state.folder
        let home = environment("HOME").map { LocalPath.resolved($0) ?? $0 }
        let isNowhere = isSecret || home.map { LocalPath.isWithin(folder, $0) } ?? false
        return AppRegistration(
            AppName(app: editor.app, instance: instance.name), types: [WellKnownType.file.rawValue],
            title: editor.title, folder: editor.takesAllFolders ? "/" : isNowhere ? "" : folder)
    }

    /// Looks at the repository of the current file, unless the helper did so a moment ago.
    private mutating func look() {
        guard let file = state?.file else { return }
        let folder = LocalPath.folder(of: file)
        if let repository, repository.folder == folder, !mustLook,
            repository.seen + Self.lookPause > .now
        {
            return
        }
        mustLook = false
        repository = (folder, visited.repository(at: folder), .now)
    }

    private mutating func ask(_ call: some LocalCall, _ question: Question) {
        guard link.isConnected, link.room > 0 else { return }
        do throws(LocalFailure) {
            asked[try link.send(call)] = question
        } catch {
            // A call that is too large is not sent. The connection stays open.
            if error.code != .tooLarge { lose() }
        }
    }

    /// Forgets what was sent to the node, so that everything is sent to the next node.
    private mutating func lose() {
        do throws(LocalFailure) {
            try link.lose(LocalFailure(.noNode, "The node has stopped."))
        } catch {
            // `lose` throws only if waiting does not help. With `noNode`, waiting helps.
        }
        asked = [:]
        offers = [:]
        registered = nil
        told = nil
        isStarted = false
        (lastAttempt, pause) = (.now, Self.firstPause)
    }

    private mutating func receiveAnswer(_ answer: LocalAnswer) throws(LocalFailure) {
        guard let question = asked.removeValue(forKey: answer.number) else { return }
        switch question {
        case .event: try takeEvent(answer)
        case .start: isStarted = !answer.isFailure
        case .update where answer.isFailure:
            // The node does not know the activity any more, so the helper starts it again.
            (isStarted, told) = (false, nil)
        case .opened(let number):
            guard let offer = offers.removeValue(forKey: number), !answer.isFailure else { return }
            try print(EditorEvent.open(offer.opening, offer.line))
        case .fetch(let watch): try takeFetched(answer, watch)
        case .confirm(let opening, let line):
            // The file is opened even if the other machine does not confirm that the activity is continued.
            try print(EditorEvent.open(opening, line))
        case .register, .update, .finish, .saved: break
        }
    }

    private mutating func takeEvent(_ answer: LocalAnswer) throws(LocalFailure) {
        guard case .success(let event) = try answer.result(of: AwaitEvent.self) else { return }
        ask(AwaitEvent(), .event)
        switch event {
        case .save(let number, _): try print(EditorEvent.save(number))
        case .wasContinued(_, let device, let isTaken):
            let name = state?.file.map(LocalPath.name(of:)) ?? "It"
            try tell(person: "\(name) continues on \(device.name).")
            // When the person continues here, the activity is started again.
            if isTaken { isStarted = false }
        case .ended: isStarted = false
        case .continues(let number, let continued):
            do throws(LocalFailure) {
                offers[number] = (
                    try opening(continued.summary), ContinuedText(continued).line(at: .here)
                )
                try print(EditorEvent.ask(number))
            } catch {
                // The editor opens nothing. So the command that wants to continue the activity gets no confirmation,
                // and tells the person.
                try tell(person: VisibleText(error.text))
            }
        case .streamWanted, .opens: break
        }
    }

    private func opening(_ summary: ActivitySummary) throws(LocalFailure) -> FileOpening {
        try ActivityValues(summary, schemes: [], environment: environment).opening(environment: environment)
    }

    // MARK: Continuing from the editor

    /// Asks the node for an activity that the person wants to continue in this editor.
    private mutating func fetch(_ name: String?) throws(LocalFailure) {
        lastAttempt = nil
        seek()
        guard link.isConnected, link.room > Self.spare else {
            return try tell(
                person: "No node is running. Start it with `baton node`, or `baton service start`.")
        }
        let selection = name.map { ActivitySelection.named($0) } ?? .last
        ask(ContinueActivity(selection, step: .fetch), .fetch(Stopwatch()))
    }

    private mutating func takeFetched(_ answer: LocalAnswer, _ watch: Stopwatch) throws(LocalFailure) {
        do throws(LocalFailure) {
            let continued = try answer.reply(to: ContinueActivity.self)
            let summary = continued.summary
            guard summary.activity.type == WellKnownType.file.rawValue else {
                return try tell(
                    person:
                        "\(summary.label) is not a file; `baton continue \(summary.short)` in a shell goes on with it."
                )
            }
            let opening = try opening(summary)
            let line = ContinuedText(continued, took: watch.elapsed).line(at: .here)
            guard continued.source != .finished else { return try print(EditorEvent.open(opening, line)) }
            let confirming = ContinueActivity(
                .named(summary.identifier), step: .confirm, type: summary.activity.type)
            ask(confirming, .confirm(opening, line))
        } catch {
            try tell(person: VisibleText(error.text))
        }
    }
}
