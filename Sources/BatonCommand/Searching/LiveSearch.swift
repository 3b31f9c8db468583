import BatonClient
package import BatonCore
package import BatonTerminal

/// A screen that searches while a person types, with the results below the line.
///
/// The screen does no input or output of its own. Its owner passes keys and answers to it, and draws it.
package struct LiveSearch {
    private var line = TextLine()
    /// The results that are shown.
    private var results: [SearchResult] = []
    /// The corrected text, if it was searched for instead of the typed text.
    private var corrected: String?
    private var finder = PhraseFinder([])
    /// The index of the chosen result.
    private var choice = 0
    /// The list's first visible line.
    ///
    /// It is another one if the chosen result would not be visible.
    private var top = 0
    /// Whether the screen shows a preview of the chosen result.
    private var isPreviewing = false
    /// Whether the answer to the search for the present text has not arrived yet.
    private var isWaiting = false
    /// Whether the next answer opens a result, because the person pressed Enter before the answer had arrived.
    private var opensNext = false
    /// Whether the result that is opened was never shown to the person.
    private var opensUnseen = false
    private var remark: VisibleText = ""
    /// Whether the connection to the node is lost.
    ///
    /// Until it is back, the screen shows `loss` instead of other remarks.
    private var isLost = false

    /// The remark that is shown while the connection to the node is lost.
    static let loss: VisibleText = "The node has stopped. Waiting until it is started again."

    package init() {}

    /// The step that follows a key or an answer.
    package enum Step: Equatable, Sendable {
        case stay
        /// Search for the present text.
        ///
        /// If it has no words, end the search.
        case search
        case open(SearchResult)
        case leave
        case suspend
    }

    /// The text that the person typed.
    package var text: String { line.text }

    /// The text whose results are shown: the typed text, or its correction.
    package var soughtText: String { corrected ?? text }

    /// Whether the typed text has words to search for.
    package var hasWords: Bool { !Phrase.all(of: text).isEmpty }

    // MARK: Events

    /// Handles a key that was pressed.
    package mutating func press(_ key: Key) -> Step {
        (opensNext, opensUnseen) = (false, false)
        if key == .end, text.isEmpty { return .leave }
        let before = text
        if line.press(key) {
            guard text != before else { return .stay }
            (choice, top, remark) = (0, 0, "")
            if !hasWords { results = [] }
            isWaiting = hasWords
            return .search
        }
        switch key {
        case .escape, .interrupt: return .leave
        case .suspend: return .suspend
        case .up: choose(choice - 1)
        case .down: choose(choice + 1)
        case .pageUp: choose(choice - Self.page)
        case .pageDown: choose(choice + Self.page)
        case .wheelUp: choose(choice - Self.wheel)
        case .wheelDown: choose(choice + Self.wheel)
        case .preview: isPreviewing.toggle()
        case .enter:
            guard !isWaiting else {
                opensNext = true
                return .stay
            }
            if choice < results.count { return .open(results[choice]) }
        default: break
        }
        return .stay
    }

    /// The numbers of results by which a page key and a step of the mouse wheel move the choice.
    private static let (page, wheel) = (10, 3)

    private mutating func choose(_ place: Int) { choice = max(0, min(place, results.count - 1)) }

    /// Handles a click on a cell; lines and cells count from zero.
    package mutating func click(
        line: Int, cell: Int, width: Int, height: Int, at time: PresentTime
    ) -> Step {
        let screen = listScreen(width: width, height: height, at: time)
        guard let place = screen.row(atLine: line, cell: cell) else { return .stay }
        if place == choice { return press(.enter) }
        // The list is not scrolled, so that a second click hits the same row.
        choice = place
        top = screen.firstLine
        opensNext = false
        opensUnseen = false
        return .stay
    }

    /// Handles the answer to the search for the present text.
    package mutating func receiveReply(_ reply: SearchReply) -> Step {
        // If the person has chosen a result, it remains chosen, even if its index has changed.
        let chosen = choice > 0 && choice < results.count ? results[choice].key : nil
        results = reply.results
        corrected = reply.corrected
        isWaiting = false
        isLost = false
        finder = PhraseFinder(Phrase.all(of: soughtText))
        choice = chosen.flatMap { key in results.firstIndex { $0.key == key } } ?? 0
        if let corrected {
            remark = "Nothing matches what you typed. Showing results for “\(corrected)”."
        } else if reply.isLocked {
            remark = "Protected items are locked; `baton unlock` makes them searchable."
        } else if !reply.isWhole {
            remark = "There may be more: the node is still indexing, or too many things match."
        } else {
            remark = results.isEmpty ? "Nothing found." : ""
        }
        opensUnseen = opensNext && !results.isEmpty
        opensNext = false
        return opensUnseen ? .open(results[choice]) : .stay
    }

    /// Handles the failure of the search for the present text.
    package mutating func receiveFailure(_ failure: LocalFailure) {
        results = []
        corrected = nil
        isWaiting = false
        opensNext = false
        isLost = false
        remark = VisibleText(failure.description)
    }

    /// Called when the connection to the node is lost.
    ///
    /// When it is back, the search is repeated.
    package mutating func handleLoss() {
        (isWaiting, opensNext, isLost) = (hasWords, false, true)
    }

    /// Called when the node is connected again.
    package mutating func handleReturn() { (remark, isLost) = ("", false) }

    // MARK: Showing

    /// Returns the lines to draw, and the number of cells before the cursor, which is in the first line.
    package func screen(
        width: Int, height: Int, at time: PresentTime
    ) -> (lines: [MarkedText], cursor: Int) { listScreen(width: width, height: height, at: time).lines }

    private func listScreen(width: Int, height: Int, at time: PresentTime) -> ListScreen {
        let chosen = choice < results.count ? results[choice] : nil
        return ListScreen(
            prompt: width <= 30 ? "> " : "Search: ", line: line,
            count: hasWords ? VisibleText(HumanTime.count(Int64(results.count), "result")) : "",
            rows: results.map { row($0, at: time) }, choice: choice, top: top,
            notes: chosen.map { [$0.whereabouts(at: time), VisibleText($0.thing.url ?? "")] }?.map {
                MarkedText($0).inPlace
            } ?? [],
            help: help(width), preview: isPreviewing ? chosen.map { Preview($0, at: time) } : nil,
            width: width, height: height)
    }

    /// Whether the person has seen the whole address of the result that is opened, on a screen of this size.
    package func hasShownAddress(of result: SearchResult, width: Int, height: Int) -> Bool {
        guard !opensUnseen, !isPreviewing, let url = result.thing.url, height >= ListScreen.heightForNotes
        else { return false }
        return VisibleText(url).width <= max(width - 1, 1)
    }

    /// Returns the remark, or help about the keys if there is no remark.
    private func help(_ width: Int) -> MarkedText {
        if isLost { return MarkedText(Self.loss, .remark) }
        if !remark.isEmpty { return MarkedText(remark, .remark).inPlace }
        guard hasWords else { return MarkedText("Type what you look for. Esc leaves.", .dim) }
        let preview: VisibleText = isPreviewing ? "^O closes the preview" : "^O previews"
        let help = "Enter opens, " + preview + ", Esc leaves."
        return MarkedText(help.width < width ? help : "Enter opens, Esc leaves.", .dim)
    }

    private func row(_ result: SearchResult, at time: PresentTime) -> ListRow {
        let thing = result.thing
        let name = thing.name
        return ListRow(
            sign: thing.listedKind.sign,
            title: MarkedText(name, marking: finder.ranges(in: name), as: .match),
            about: FoundList.about(result), device: MarkedText(result.deviceNames),
            age: MarkedText(thing.time.map { VisibleText($0.shortAge(at: time.now)) } ?? "", .dim))
    }
}
