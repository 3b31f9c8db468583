import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton list --watch`: shows the list of activities, and shows it again after each change.
extension ActivityWatch: Watched {
    static var anew: Happening { .anew }
    static var again: VisibleText { "The whole list again:" }

    func json(_ happening: Happening) -> JSON { JSON(happening) }

    func line(_ happening: Happening) -> VisibleText? { ActivityList.line(happening) }

    func lines(_ call: Call) throws(LocalFailure) -> [VisibleText] {
        let (summaries, rows) = (summaries, summaries.shownToPeople)
        return rows.isEmpty
            ? call.console.lines(of: try List.nothing(call, idle: summaries.count))
            : ActivityList(rows).table(at: .here).lines(
                width: call.console.width, isStyled: call.console.hasStyle)
    }
}
