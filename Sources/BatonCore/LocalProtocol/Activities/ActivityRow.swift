/// The properties of an activity that decide whether a list shows it.
package protocol ActivityRow {
    var rowDevice: DeviceIdentifier { get }
    var app: String { get }
    /// The instance of the app; empty if the activity has ended.
    var rowInstance: String { get }
    var activity: Activity { get }
}

extension Array where Element: ActivityRow {
    /// Returns the activities that a list shows to a person.
    ///
    /// The array must have the latest change first.
    ///
    /// - Idle shells in one folder of one device are one row: the latest of them.
    /// - An idle shell in the home folder is left out.
    /// - A shell's command is left out while the editor that it runs has a file open; the file is a row.
    ///
    /// Lists, the picker, completions and the search for a title all use this property. So a person can find by name
    /// exactly the activities that they see.
    package var shownToPeople: [Element] {
        let editors = filter(\.isGoingOn).compactMap { EditorInShell($0) }
        var places: Set<IdlePlace> = []
        return filter { row in
            guard let shell = FollowedShell(row) else { return true }
            if let command = shell.command { return !editors.contains { $0.isRun(by: command, in: row) } }
            guard let place = IdlePlace(shell, row) else { return true }
            return place.folder != PersonalShell.home && places.insert(place).inserted
        }
    }
}

/// The names that shells and editors use in the activities that they report to the node.
package enum PersonalShell {
    /// The name of the app that all shells report.
    package static let app = "org.baton.shell"
    /// The prefix of the instance name of a shell that reports its folder automatically.
    package static let followedPrefix = "prompt"
    /// The text that a shell reports as its folder when it is in the home folder.
    package static let home = "~"

    /// The keys of the payload.
    package enum Key {
        package static let folder = "folder"
        /// The key of a command that is reported as a whole.
        ///
        /// If only the beginning of a command is reported, its key is `shortened`.
        package static let command = "command"
        package static let shortened = "shortened"
        package static let since = "since"
        /// The key of the instance name of the shell in which an editor runs.
        package static let shell = "shell"
    }
}

extension Activity {
    /// The command that a shell reports as running, perhaps shortened; nil for activities of other apps.
    package var toldCommand: String? {
        let keys = [PersonalShell.Key.command, PersonalShell.Key.shortened]
        return keys.lazy.compactMap { info[.string($0)]?.string }.first
    }
}

extension ActivityRow {
    fileprivate var isGoingOn: Bool { activity.finished == nil }

    /// Whether a person sent the activity to a device, and no device has continued it since.
    fileprivate var isSent: Bool {
        guard let sent = activity.sent else { return false }
        return activity.continuation.map { $0.time < sent.time } ?? true
    }
}

/// The activity of a shell that reports its folder and its commands automatically.
private struct FollowedShell {
    let folder: String?
    let command: Command?

    struct Command {
        let line: String
        let start: WallTime?
    }

    /// Reads the activity of such a shell; nil if the activity is another one.
    ///
    /// The result is also nil if a person sent the activity to a device, because such an activity is always shown.
    init?(_ row: some ActivityRow) {
        guard row.app == PersonalShell.app, row.rowInstance.hasPrefix(PersonalShell.followedPrefix + "-"),
            row.isGoingOn, !row.isSent
        else { return nil }
        let info = row.activity.info
        folder = info[.string(PersonalShell.Key.folder)]?.string
        command = row.activity.toldCommand.map { line in
            guard case .date(let seconds)? = info[.string(PersonalShell.Key.since)] else {
                return Command(line: line, start: nil)
            }
            let start = Int64(exactly: (seconds * 1000).rounded()).map { WallTime(milliseconds: $0) }
            return Command(line: line, start: start)
        }
    }
}

/// A folder of a device in which shells are idle.
private struct IdlePlace: Hashable {
    let device: DeviceIdentifier
    let folder: String

    init?(_ shell: FollowedShell, _ row: some ActivityRow) {
        guard let folder = shell.folder else { return nil }
        (device, self.folder) = (row.rowDevice, folder)
    }
}

/// An editor that has a file open and that runs in a shell that reports its commands.
private struct EditorInShell {
    private let device: DeviceIdentifier
    private let shell: String
    private let start: WallTime

    /// The longest time between noticing an editor's file and noticing the command that runs the editor.
    private static let slack = Duration.seconds(5)

    init?(_ row: some ActivityRow) {
        guard let shell = row.activity.info[.string(PersonalShell.Key.shell)]?.string else { return nil }
        (device, self.shell, start) = (row.rowDevice, shell, row.activity.started)
    }

    /// Whether the command of a shell runs this editor.
    ///
    /// While an editor is stopped, its shell may run another command. Such a command has begun later than the editor.
    /// The command `fg` goes back to the editor.
    func isRun(by command: FollowedShell.Command, in row: some ActivityRow) -> Bool {
        guard device == row.rowDevice, shell == row.rowInstance else { return false }
        let goesBack = command.line.hasPrefix("%") || command.line.split(separator: " ").first == "fg"
        return goesBack || command.start.map { $0 <= start.advanced(by: Self.slack) } ?? true
    }
}
