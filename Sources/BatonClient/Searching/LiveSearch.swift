package import BatonCore

/// A search while a person types: the line, the results below it, and the choice among them.
///
/// It does no input or output of its own. Its owner passes keys and answers to it, and draws its screen.
package struct LiveSearch {
    private var line = TextLine()
    /// The results that are shown, and the phrases that were searched for.
    private var results: [SearchResult] = []
    /// The text that was searched for instead of the one that was typed.
    private var corrected: String?
    private var finder = PhraseFinder([])
    /// The place of the chosen result.
    private var choice = 0
    /// Whether an answer for the present text is awaited.
    private var isWaiting = false
    /// Whether a result is to be opened once there is an answer, because Enter was pressed before.
    private var opensNext = false
    /// Whether a result was opened that was not shown before.
    private var opensUnseen = false
    private var remark: VisibleText = ""
    /// Whether the node is gone, which is shown in place of any remark until it is back.
    private var isLost = false

    /// The remark that is shown while the node is gone.
    static let loss: VisibleText = "The node has stopped. Waiting until it is started again."

    package init() {}

    /// The step that follows from a key or an answer.
    package enum Step: Equatable, Sendable {
        case stay
        /// Search for the present text instead of an earlier one; with no words, for nothing.
        case search
        case open(SearchResult)
        case leave
        case suspend
    }

    /// The text that was typed.
    package var text: String { line.text }

    /// The text that has led to the results: the one that was typed, or what it was taken for.
    package var soughtText: String { corrected ?? text }

    /// Whether there is anything to search for.
    package var hasWords: Bool { !Phrase.all(of: text).isEmpty }

    // MARK: Events

    /// Carries out a key.
    package mutating func press(_ key: Key) -> Step {
        (opensNext, opensUnseen) = (false, false)
        if key == .end, text.isEmpty { return .leave }
        let before = text
        if line.press(key) {
            guard text != before else { return .stay }
            (choice, remark) = (0, "")
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

    /// The results that a page key passes.
    private static let page = 10

    private mutating func choose(_ place: Int) { choice = max(0, min(place, results.count - 1)) }

    /// Takes the answer for the present text.
    package mutating func take(_ reply: SearchReply) -> Step {
        // A person who has chosen a result means that one, wherever it stands now.
        let chosen = choice > 0 && choice < results.count ? results[choice].key : nil
        (results, corrected, isWaiting, isLost) = (reply.results, reply.corrected, false, false)
        finder = PhraseFinder(Phrase.all(of: soughtText))
        choice = chosen.flatMap { key in results.firstIndex { $0.key == key } } ?? 0
        if let corrected {
            remark = "Nothing has what you typed. These are for “\(corrected)”."
        } else if !reply.isWhole {
            remark = "There may be more: the node is still indexing, or too many things have the words."
        } else {
            remark = results.isEmpty ? "Nothing found." : ""
        }
        opensUnseen = opensNext && !results.isEmpty
        opensNext = false
        return opensUnseen ? .open(results[choice]) : .stay
    }

    /// Takes the failure of the search for the present text.
    package mutating func take(_ failure: LocalFailure) {
        (results, corrected, isWaiting, opensNext, isLost) = ([], nil, false, false, false)
        remark = VisibleText(failure.description)
    }

    /// Called when the node is gone; the search is made again when it is back.
    package mutating func handleLoss() {
        (isWaiting, opensNext, isLost) = (hasWords, false, true)
    }

    /// Called when the node is back.
    package mutating func handleReturn() { (remark, isLost) = ("", false) }

    // MARK: Showing

    /// The lines of a screen of that size, and the cells before the cursor, which is in the first one.
    package func screen(
        width: Int, height: Int, at time: PresentTime
    ) -> (lines: [MarkedText], cursor: Int) {
        // Terminals disagree about the width of some characters, so the last cell stays free.
        let width = max(width - 1, 1)
        let prompt: VisibleText = width < 30 ? "> " : "Search: "
        let typed = line.shown(width: max(width - prompt.width, 1))
        var lines = [MarkedText(prompt + typed.text)]
        let notes = notes(width: width, height: height, at: time)
        let rows = max(height - 1 - notes.count, 0)
        let top = max(choice - rows + 1, 0)
        for place in results.indices.dropFirst(top).prefix(rows) {
            lines.append(row(results[place], isChosen: place == choice, width: width))
        }
        // The notes stand at the bottom of the screen.
        lines += repeatElement(MarkedText(""), count: max(height - notes.count - lines.count, 0)) + notes
        lines = lines.prefix(max(height, 1)).map { $0.cut(to: width) }
        return (lines, min(prompt.width + typed.cursor, width - 1))
    }

    /// Whether the whole address of the result that was opened was shown, if the screen has that size.
    package func hasShownAddress(of result: SearchResult, width: Int, height: Int) -> Bool {
        guard !opensUnseen, let url = result.thing.url, height >= Self.heightForNotes else { return false }
        return VisibleText(url).width <= max(width - 1, 1)
    }

    /// The fewest lines of a screen on which the chosen result is described.
    private static let heightForNotes = 8

    /// The lines at the bottom: about the chosen result, and the remark.
    private func notes(width: Int, height: Int, at time: PresentTime) -> [MarkedText] {
        let help: VisibleText = hasWords ? "Enter opens, Esc leaves." : "Type what you look for. Esc leaves."
        let remark = isLost ? Self.loss : remark.isEmpty ? help : remark
        guard height >= Self.heightForNotes else { return height > 2 ? [MarkedText(remark)] : [] }
        guard choice < results.count else { return [MarkedText(remark)] }
        let result = results[choice]
        return [result.whereabouts(at: time), VisibleText(result.thing.url ?? ""), remark].map {
            MarkedText($0).inPlace
        }
    }

    private func row(_ result: SearchResult, isChosen: Bool, width: Int) -> MarkedText {
        let room = max(width - 2, 1)
        let thing = result.thing
        let name = thing.name
        let title = MarkedText(name, marking: finder.ranges(in: name))
        let about = FoundList.about(result)
        let mark: VisibleText = isChosen ? "> " : "  "
        let short = about.isEmpty ? title.cut(to: room) : title.cut(to: max(room / 2, min(room, 20)))
        let rest = room - short.width - 2
        let line = MarkedText(mark) + short.inPlace
        return about.isEmpty || rest < 8 ? line : line + MarkedText("  ") + about.cut(to: rest).inPlace
    }
}
