import BatonClient
import BatonCore

/// The state of an editor, as the editor's plugin reports it.
struct EditorState: Equatable, Sendable {
    /// The absolute path of the working folder.
    var folder: String
    /// The current file, or nil if there has been none yet.
    ///
    /// `line` and `column` are the position of the cursor in the file. They count from one.
    var file: String?
    var line: Int64?
    var column: Int64?
    /// The paths of the open files.
    var open: [String] = []
    /// The paths of the open files that have unsaved changes.
    var unsaved: [String] = []

    /// Reads a report of the plugin.
    init(_ json: JSON) throws(JSONError) {
        let members = try JSONMembers(
            json, "`at`", keys: ["folder", "file", "line", "column", "open", "unsaved"])
        guard let folder = try members.text("folder"), folder.hasPrefix("/") else {
            throw JSONError("`folder` must be a whole path")
        }
        self.folder = folder
        file = try members.text("file").flatMap { $0.hasPrefix("/") ? $0 : nil }
        line = try members.count("line").flatMap { Int64(exactly: $0) }
        column = try members.count("column").flatMap { Int64(exactly: $0) }
        open = try members.texts("open") ?? []
        unsaved = try members.texts("unsaved") ?? []
    }

    /// Returns the state with only those files that other machines may know.
    ///
    /// Private files are left out, and so are files that do not exist and files whose paths have no meaning on other
    /// machines.
    func visible(_ places: PrivatePlaces, home: String?, _ paths: PortablePaths) -> EditorState {
        let isVisible = { (path: String) in
            LocalPath.kind(path) == .file && !places.holds(file: path, home: home)
                && ActivityValues.problem(with: paths.portable(path)) == nil
        }
        var state = self
        if file.map(isVisible) == false { state.file = nil }
        state.open = Array(open.filter(isVisible).prefix(FileOpening.othersMost))
        state.unsaved = Array(unsaved.filter(isVisible).prefix(FileOpening.othersMost))
        return state
    }

    /// Returns the change that gives an activity this state, or nil if the state has no file.
    ///
    /// If the editor runs in a shell, the change names the shell.
    func change(
        in repository: Repository?, with changes: [FileOpening.Change] = [], of shell: ShellInstance? = nil,
        _ paths: PortablePaths
    ) -> ActivityChange? {
        guard let file else { return nil }
        let list = { (files: [String]) -> PropertyValue? in
            files.isEmpty ? nil : .array(files.map { .string(paths.portable($0)) })
        }
        var change = ActivityChange()
        change.replaces = true
        // A file can be suggested after the editor has left it. Then it is opened at its last position, without the
        // other files.
        change.eligibility = [.handoff, .prediction]
        let portable = paths.portable(file)
        change.persistentIdentifier = PortablePaths.identifier(portable)
        change.requiredKeys = ["file", "line", "column", "repository"]
        change.set = [.string("file"): .string(portable)]
        change.set[.string(PersonalShell.Key.shell)] = shell.map { .string($0.name) }
        change.set[.string("line")] = line.map { .integer($0) }
        change.set[.string("column")] = column.map { .integer($0) }
        change.set[.string(FileOpening.Key.others)] = list(open.filter { $0 != file })
        change.set[.string(FileOpening.Key.unsaved)] = list(unsaved)
        if !changes.isEmpty {
            change.set[.string(FileOpening.Key.changes)] = .array(
                changes.map { $0.value(path: paths.portable($0.path)) })
        }
        change.set[.string("repository")] = repository.map { $0.value(root: paths.portable($0.root)) }
        change.title = LocalPath.name(of: file)
        if let repository {
            let branch = repository.branch.map { " (\($0))" } ?? ""
            change.title? += " — \(LocalPath.name(of: repository.root))\(branch)"
        }
        return change
    }
}
