package import BatonCore

/// A file of this machine in which the person continues an activity of another machine.
///
/// Other files that are open there, and unsaved changes, may belong to it.
package struct FileOpening: Equatable, Sendable {
    package let path: String
    package var line: Int64?
    package var column: Int64?
    /// The other files that are open in the other machine's editor, as far as they exist on this machine.
    package var others: [String] = []
    /// The unsaved changes in the other machine's editor, for files that exist on this machine.
    package var changes: [Change] = []
    /// Sentences that tell the person how this machine differs from the other one.
    package var notes: [VisibleText] = []

    /// The changes of one file, as a unified diff.
    package struct Change: Equatable, Sendable {
        package let path: String
        package let diff: String
    }

    package init(_ path: String, line: Int64? = nil, column: Int64? = nil) {
        (self.path, self.line, self.column) = (path, line, column)
    }

    /// The largest number of files, besides the current file, that are sent and opened.
    package static let othersMost = 50
    /// The maximum size in bytes of all changes that are sent.
    package static let changesBytes = 48 << 10

    /// The keys of these values in the payload of an activity.
    package enum Key {
        package static let others = "open"
        package static let unsaved = "unsaved"
        package static let changes = "changes"
        static let diff = "diff"
    }
}

extension FileOpening.Change {
    /// The value for the payload of an activity.
    ///
    /// `path` is the file's path in the form that other machines understand.
    package func value(path: String) -> PropertyValue {
        .dictionary([.string("file"): .string(path), .string(FileOpening.Key.diff): .string(diff)])
    }
}

extension ActivityValues {
    /// Returns the file that the activity names, with the other open files that exist on this machine.
    package func opening(environment: (String) -> String?) throws(LocalFailure) -> FileOpening {
        let place = try place("file", of: .file, environment: environment)
        var opening = FileOpening(
            place.path, line: try count("line"), column: try count("column"))
        opening.notes = place.notes
        let scope = ChangeScope(place.path, home: environment("HOME"))
        var seen: Set<String> = [place.path]
        for case .string(let text) in values(FileOpening.Key.others).prefix(FileOpening.othersMost) {
            guard let path = file(text, beside: place), !scope.isPrivate(path), seen.insert(path).inserted
            else { continue }
            opening.others.append(path)
        }
        addChanges(to: &opening, beside: place, scope)
        let told = Set(opening.changes.map(\.path))
        for case .string(let text) in values(FileOpening.Key.unsaved).prefix(FileOpening.othersMost + 1) {
            if let path = file(text, beside: place), told.contains(path) { continue }
            let name = LocalPath.name(of: text)
            opening.notes.append("\(name) has changes on “\(summary.device.name)” that are not saved.")
        }
        return opening
    }

    /// Adds the changes of the files that are opened.
    ///
    /// If changes are refused, a note is added that says why.
    private func addChanges(to opening: inout FileOpening, beside place: FoundPlace, _ scope: ChangeScope) {
        let open = Set([opening.path] + opening.others)
        var bytes = 0
        for value in values(FileOpening.Key.changes).prefix(FileOpening.othersMost + 1) {
            guard let pairs = value.pairs, let name = pairs[.string("file")]?.string,
                let diff = pairs[.string(FileOpening.Key.diff)]?.string
            else { continue }
            bytes += diff.utf8.count
            guard bytes <= FileOpening.changesBytes else { break }
            let path = file(name, beside: place)
            var problem = path.map { scope.problem(with: $0) } ?? "it is not here"
            if problem == nil, let path, !open.contains(path) { problem = "it is not open there" }
            let plain = path.flatMap { UnifiedDiff.plain(diff, named: $0) }
            if problem == nil, plain == nil { problem = "they are not a difference of one file" }
            guard problem == nil, let path, let plain else {
                let shown = Self.shown(path ?? name)
                opening.notes.append(
                    "Changes of \(shown) on “\(summary.device.name)” are not applied: \(problem ?? "").")
                continue
            }
            opening.changes.append(FileOpening.Change(path: path, diff: plain))
        }
    }

    /// Returns the elements of a list of the payload.
    ///
    /// If there is no such list, returns an empty array.
    private func values(_ key: String) -> [PropertyValue] {
        guard case .array(let values)? = summary.activity.info[.string(key)] else { return [] }
        return values
    }

    /// Returns the path on this machine of another file of the activity, or nil if there is no file.
    ///
    /// If the current file was found in a clone, the path leads into that clone. Otherwise, it is the path of the
    /// payload.
    private func file(_ text: String, beside place: FoundPlace) -> String? {
        guard Self.problem(with: text) == nil, let path = whole(text) else { return nil }
        let here = place.roots?.path(for: path) ?? path
        return LocalPath.kind(here) == .file ? here : nil
    }
}
