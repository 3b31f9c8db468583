import BatonCore

/// The list in which a person chooses an answer while they type, as `baton pick` looks.
package struct ChoiceScreen {
    /// An answer in the list.
    package struct Choice: Equatable, Sendable {
        /// The title.
        package let title: String
        /// The text beside the title; nil if there is none.
        package let subtitle: String?
        /// The title of the section with the answer; nil if it is in none.
        package let section: String?
        /// Other words for the answer, by which it is found.
        package let synonyms: [String]

        package init(
            _ title: String, subtitle: String? = nil, section: String? = nil, synonyms: [String] = []
        ) {
            (self.title, self.subtitle) = (title, subtitle)
            (self.section, self.synonyms) = (section, synonyms)
        }
    }

    /// The step that follows from a key.
    package enum Step: Equatable {
        case stay
        case choose(Int)
        case leave
    }

    private let question: String
    private let choices: [Choice]
    private var line = TextLine()
    /// The indices of the choices that match the line, best first.
    private var shown: [Int]
    /// The place of the chosen row among those that are shown.
    private var choice = 0
    /// The first visible line of the list.
    private var top = 0

    /// The rows that a page key moves by.
    private static let page = 10

    package init(_ question: String, _ choices: [Choice]) {
        (self.question, self.choices) = (question, choices)
        shown = Array(choices.indices)
    }

    // MARK: Keys

    /// Handles a key.
    package mutating func press(_ key: Key) -> Step {
        switch key {
        case .enter: return shown.indices.contains(choice) ? .choose(shown[choice]) : .stay
        case .escape, .interrupt: return .leave
        case .end where line.text.isEmpty: return .leave
        case .up, .wheelUp: move(by: -1)
        case .down, .wheelDown: move(by: 1)
        case .pageUp: move(by: -Self.page)
        case .pageDown: move(by: Self.page)
        default:
            let before = line.text
            if line.press(key), line.text != before { filter() }
        }
        return .stay
    }

    /// Handles a click at a cell of a screen: it chooses a row, and at the chosen row it does what Enter does.
    package mutating func click(line: Int, cell: Int, width: Int, height: Int) -> Step {
        guard let row = list(width: width, height: height).row(atLine: line, cell: cell) else { return .stay }
        guard row == choice else {
            choice = row
            return .stay
        }
        return press(.enter)
    }

    private mutating func move(by rows: Int) {
        guard !shown.isEmpty else { return }
        choice = min(max(choice + rows, 0), shown.count - 1)
    }

    /// Looks for the choices that match the line; equal ones stay in their order.
    private mutating func filter() {
        let words = FuzzyWords(line.text)
        (choice, top) = (0, 0)
        guard !words.isEmpty else {
            shown = Array(choices.indices)
            return
        }
        let matches = choices.indices.compactMap { index in
            words.match([choices[index].title] + choices[index].synonyms).map { (index, $0.score) }
        }
        shown = matches.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map(\.0)
    }

    // MARK: The screen

    /// Returns the lines for a screen of a size, and the number of cells before the cursor, which is in the first line.
    package mutating func screen(width: Int, height: Int) -> (lines: [MarkedText], cursor: Int) {
        let list = list(width: width, height: height)
        top = list.firstLine
        return list.lines
    }

    private func list(width: Int, height: Int) -> ListScreen {
        let isTyping = !line.text.isEmpty
        let words = FuzzyWords(line.text)
        let rows = shown.map { index in
            let choice = choices[index]
            let ranges = isTyping ? words.match([choice.title])?.ranges.first ?? [] : []
            return ListRow(
                // While the person types, rows are ordered by how well they match, so they have no headings.
                group: isTyping ? nil : choice.section.map { VisibleText($0) },
                title: MarkedText(choice.title, marking: ranges, as: .match),
                about: MarkedText(VisibleText(choice.subtitle ?? ""), .dim))
        }
        let help: VisibleText =
            shown.isEmpty ? "Nothing matches. Esc leaves." : "Enter chooses, Esc leaves."
        return ListScreen(
            prompt: VisibleText(question) + " ", line: line, count: "\(shown.count)", rows: rows,
            choice: choice, top: top, notes: [], help: MarkedText(help, .dim), preview: nil, width: width,
            height: height)
    }
}
