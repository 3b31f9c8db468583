import BatonCommand
import BatonCore
import BatonTerminal

/// `baton search` without words: shows results while a person types, and opens the result that the person chooses.
struct SearchTyping {
    let call: Call
    let configuration: Configuration?
    let most: Int
    let filter: SearchFilter

    /// Runs until the person opens a result or leaves; returns the exit status.
    func run() throws(LocalFailure) -> Int32 {
        let (most, filter) = (most, filter)
        let screen = SearchScreen { SearchItems($0, most: most, filter: filter, replacesEarlier: true) }
        var session = LiveSession(try call.home(), hasStyle: call.console.hasStyle, screen)
        switch try session.run() {
        case .left: return 0
        // This is the exit status that shells report for a program that a signal has ended.
        case .signal(let number): return 128 + number
        case .chosen(let result, let width, let height):
            let live = session.screen.live
            let hasSeenAddress = live.hasShownAddress(of: result, width: width, height: height)
            try SearchOpening.open(
                result, of: live.soughtText, configuration: configuration, mayAsk: !hasSeenAddress,
                try call.connect(), call)
            return 0
        }
    }
}
