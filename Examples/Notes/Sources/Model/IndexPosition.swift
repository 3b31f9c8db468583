import Foundation

/// The last note that was indexed, in the order of changes: the client state of the index.
struct IndexPosition: Sendable {
    private var modified = 0.0
    private var name = ""

    /// The position before all notes.
    init() {}

    init(_ entry: Notebook.Entry) {
        modified = entry.modified.timeIntervalSince1970
        name = entry.name
    }

    /// Reads what `clientState` has written; an empty state is the position before all notes.
    init(_ clientState: Data) {
        let parts = String(decoding: clientState, as: UTF8.self)
            .split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let modified = Double(parts[0]) else { return }
        self.modified = modified
        name = String(parts[1])
    }

    /// A client state has at most 250 bytes; without a name, notes of the same moment are indexed once more.
    var clientState: Data {
        let state = Data("\(modified) \(name)".utf8)
        return state.count <= 250 ? state : Data("\(modified) ".utf8)
    }

    /// Returns the notes that come after this one, in the order of changes.
    func following(_ entries: [Notebook.Entry]) -> [Notebook.Entry] {
        let order = { (entry: Notebook.Entry) in (entry.modified.timeIntervalSince1970, entry.name) }
        return entries.filter { order($0) > (modified, name) }.sorted { order($0) < order($1) }
    }
}
