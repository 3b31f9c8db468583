import BatonClient
package import BatonCore
package import BatonTerminal

/// Connects a `LiveSearch` to the node: makes a call for each typed text, and passes on the answers.
package struct SearchScreen: LiveScreen {
    package private(set) var live = LiveSearch()
    private let makeCall: (String) -> SearchItems
    /// The number of texts that were searched for.
    ///
    /// Only an answer with this number belongs to the present text.
    private var number = 0
    /// Whether the search for the present text must still be sent to the node.
    private var isDue = false

    /// Creates a screen.
    ///
    /// `makeCall` makes the call for a typed text.
    package init(_ makeCall: @escaping (String) -> SearchItems) { self.makeCall = makeCall }

    package mutating func press(_ key: Key) -> LiveStep<SearchResult> { step(live.press(key)) }

    package mutating func click(
        line: Int, cell: Int, width: Int, height: Int, at time: PresentTime
    ) -> LiveStep<SearchResult> {
        step(live.click(line: line, cell: cell, width: width, height: height, at: time))
    }

    package func prepare() {}

    package mutating func takeCalls() -> [(call: any LocalCall, purpose: Int)] {
        guard isDue else { return [] }
        isDue = false
        return live.hasWords ? [(makeCall(live.text), number)] : []
    }

    package mutating func receiveAnswer(
        _ answer: LocalAnswer, for purpose: Int
    ) throws(LocalFailure) -> LiveStep<SearchResult> {
        let result = try answer.result(of: SearchItems.self)
        guard purpose == number else { return .stay }
        switch result {
        case .success(let reply): return step(live.receiveReply(reply))
        case .failure(let failure): live.receiveFailure(failure)
        }
        return .stay
    }

    package mutating func refuse(_ purpose: Int, _ failure: LocalFailure) {
        if purpose == number { live.receiveFailure(failure) }
    }

    package mutating func handleLoss() { live.handleLoss() }

    package mutating func handleReturn() {
        live.handleReturn()
        makeDue()
    }

    package func screen(
        width: Int, height: Int, at time: PresentTime
    ) -> (lines: [MarkedText], cursor: Int) { live.screen(width: width, height: height, at: time) }

    private mutating func makeDue() { (isDue, number) = (true, number + 1) }

    private mutating func step(_ step: LiveSearch.Step) -> LiveStep<SearchResult> {
        switch step {
        case .stay: return .stay
        case .search:
            makeDue()
            return .stay
        case .open(let result): return .choose(result)
        case .leave: return .leave
        case .suspend: return .suspend
        }
    }
}
