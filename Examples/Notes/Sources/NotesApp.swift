import CoreSpotlight

/// The app: the notebook, its index, and the screen that is shown.
///
/// All events wait in one queue, so that one is handled after the other.
@MainActor final class NotesApp {
    enum Event: Sendable {
        /// The person has typed a line.
        case typed(String)
        /// The person wants to go to a place in the app.
        case open(Destination)
        /// The person is to read something.
        case message(String)
        /// The screen is to be closed if it is still shown, and the person is to read why.
        case leave(any Screen, String)
        case quit
    }

    let notebook: Notebook
    let index: NoteIndex
    private var screen: (any Screen)?
    private let events: AsyncStream<Event>
    private nonisolated let queue: AsyncStream<Event>.Continuation

    init(folder: URL) {
        let (events, queue) = AsyncStream.makeStream(of: Event.self)
        (self.events, self.queue) = (events, queue)
        notebook = Notebook(folder: folder)
        index = NoteIndex(notebook) { queue.yield(.message($0.localizedDescription)) }
    }

    nonisolated func post(_ event: Event) { queue.yield(event) }

    // MARK: Running

    /// Handles events until the person quits.
    func run() async {
        updateIndex()
        await attempt { try await self.present(ListScreen(self)) }
        for await event in events { await attempt { try await self.handle(event) } }
    }

    /// Does an action, shows its error if it fails, and asks for the next line.
    private func attempt(_ action: () async throws -> Void) async {
        do {
            try await action()
        } catch {
            show(error.localizedDescription)
        }
        Terminal.prompt(screen?.prompt ?? "")
    }

    private func handle(_ event: Event) async throws {
        switch event {
        case .typed(let line): try await screen?.handle(line)
        case .open(let destination): try await open(destination)
        case .message(let text): show(text)
        case .leave(let left, let text):
            show(text)
            if screen === left { try await present(ListScreen(self)) }
        case .quit: try await quit()
        }
    }

    func quit() async throws {
        queue.finish()
        let last = screen
        screen = nil
        try await last?.disappear()
    }

    func present(_ next: any Screen) async throws {
        let last = screen
        screen = next
        try await last?.disappear()
        try await next.appear()
    }

    /// Indexes what has changed, while the person goes on.
    func updateIndex() {
        Task {
            do {
                let count = try await index.update()
                post(.message("Indexed \(count) \(count == 1 ? "note" : "notes")."))
            } catch {
                post(.message(error.localizedDescription))
            }
        }
    }

    // MARK: Places in the app

    func open(_ destination: Destination) async throws {
        switch destination {
        case .search(let words): try await present(SearchScreen(self, .words(words)))
        case .note(let name):
            guard let note = try notebook.note(named: name) else {
                return show("“\(name)” is not in \(notebook.folder.path).")
            }
            try await edit(note)
        case .editing(let draft, let line):
            // The folder may have an older note, or none, if its files travel more slowly than the activity.
            let saved = try notebook.note(named: draft.name)
            let note = saved.map { $0.modified > draft.modified ? $0 : draft } ?? draft
            try notebook.save(note)
            try await edit(note, line: line)
        }
    }

    func edit(_ note: Note, line: Int? = nil) async throws {
        // An activity about a note that is not in the index leaves no trace there.
        try await index.save(note)
        try await present(NoteScreen(self, note, line: line))
    }
}

/// The person continues an activity, opens a note that was found, or continues a search.
extension NotesApp: BatonApplicationDelegate {
    func application(
        _ application: BatonApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]?) -> Void
    ) -> Bool {
        guard let destination = Destination(userActivity) else { return false }
        post(.open(destination))
        return true
    }

    func application(
        _ application: BatonApplication, didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error
    ) { post(.message(error.localizedDescription)) }

    func application(
        _ application: BatonApplication, didFailToOffer userActivity: NSUserActivity, error: any Error
    ) { post(.message(error.localizedDescription)) }
}
