/// Shows what a search has found, and opens it.
final class SearchScreen: Screen {
    enum Kind {
        case words(String)
        case recent
    }

    let prompt = "search> "
    private let app: NotesApp
    private let search = NoteSearch()
    private let kind: Kind

    init(_ app: NotesApp, _ kind: Kind) { (self.app, self.kind) = (app, kind) }

    func appear() async throws {
        switch kind {
        case .words(let words): try await find(words)
        case .recent:
            try await search.findRecent()
            list()
        }
    }

    func handle(_ line: String) async throws {
        if line == "." || line.isEmpty {
            try await app.present(ListScreen(app))
        } else if let number = Int(line), search.results.indices.contains(number - 1) {
            search.choose(number - 1)
            try await app.open(.note(search.results[number - 1].name))
        } else {
            try await find(line)
        }
    }

    private func find(_ words: String) async throws {
        try await search.find(words)
        list()
        if !search.suggestions.isEmpty { show("Search for: \(search.suggestions.joined(separator: ", "))") }
    }

    private func list() {
        for (place, result) in search.results.enumerated() {
            show("\(place + 1)  \(result.title)  \(result.summary)")
        }
        show(
            search.results.isEmpty
                ? "Nothing found. Type other words, or a period to go back."
                : "Type a number to open a note, other words, or a period to go back.")
    }
}
