import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton search --watch`: shows the results of a search, and shows them again after each change.
extension SearchWatch: Watched {
    static var anew: Happening { .anew }
    static var again: VisibleText { "All results again:" }

    func json(_ happening: Happening) -> JSON { JSON(happening) }

    func line(_ happening: Happening) -> VisibleText? { FoundList.line(happening) }

    func lines(_ call: Call) -> [VisibleText] {
        var lines: [VisibleText] = []
        if let corrected {
            let note = Search.note(corrected).text
            lines.append(
                VisibleText(harmless: call.console.width.map { CellWidth.cut(note, to: $0) } ?? note))
        }
        guard !results.isEmpty else { return lines + ["Nothing found yet."] }
        let list = FoundList(results, of: corrected ?? search.text)
        return lines + list.table(at: .here).lines(width: call.console.width, isStyled: call.console.hasStyle)
    }
}
