import CoreSpotlight

/// A note that is being edited, as the person's current activity.
@MainActor final class Editing: NSObject {
    static let activityType = "org.example.notes.edit"

    private(set) var note: Note
    /// The line below which the next line is inserted; 0 is the beginning.
    private(set) var line: Int
    /// Called when another machine continues to edit.
    var wasContinued: () -> Void = {}
    private let activity = NSUserActivity(activityType: Editing.activityType)

    /// Begins to edit; the note must be in the index, or the activity leaves no trace there.
    init(_ note: Note, line: Int? = nil) {
        let last = note.lines.count
        self.note = note
        self.line = min(max(line ?? last, 0), last)
        super.init()
        activity.isEligibleForSearch = true
        activity.requiredUserInfoKeys = ["name", "line"]
        activity.targetContentIdentifier = note.name
        activity.delegate = self
        describe()
        activity.becomeCurrent()
    }

    /// Ends the activity; to edit again, begin anew.
    func end() { activity.invalidate() }

    // MARK: Changes

    func insert(_ text: String) {
        change { lines, line in
            lines.insert(text, at: line)
            line += 1
        }
    }

    func deleteLine() {
        change { lines, line in
            guard line > 0 else { return }
            line -= 1
            lines.remove(at: line)
        }
    }

    func move(to line: Int) {
        change { lines, current in current = min(max(line, 0), lines.count) }
    }

    private func change(_ body: (inout [String], inout Int) -> Void) {
        var lines = note.lines
        body(&lines, &line)
        if lines != note.lines {
            note.text = lines.map { $0 + "\n" }.joined()
            note.modified = .now
        }
        activity.needsSave = true
    }

    private func describe() {
        activity.title = note.title
        activity.addUserInfoEntries(from: [
            "name": note.name, "line": line, "text": note.text, "modified": note.modified,
        ])
        let attributes = note.attributes
        // The activity and the note are one result of a search.
        attributes.relatedUniqueIdentifier = note.name
        attributes.domainIdentifier = note.domain
        activity.contentAttributeSet = attributes
    }
}

extension Editing: @MainActor NSUserActivityDelegate {
    func userActivityWillSave(_ userActivity: NSUserActivity) { describe() }

    func userActivityWasContinued(_ userActivity: NSUserActivity) { wasContinued() }
}
