package import BatonCore

/// A screen at a terminal that obeys keys and shows what the node says.
///
/// It does no input or output of its own, except that it reads files when it is told to: a `LiveSession` passes keys and
/// answers to it, makes its calls, and draws it.
package protocol LiveScreen {
    /// The thing for which a person leaves the screen.
    associatedtype Choice
    /// Says which of its calls an answer is for.
    associatedtype Purpose: Equatable

    /// Carries out a key.
    mutating func press(_ key: Key) -> LiveStep<Choice>

    /// Carries out a click at a cell of a screen of that size, both counted from zero: it chooses a row, and a click at the
    /// chosen one does what Enter does.
    mutating func click(
        line: Int, cell: Int, width: Int, height: Int, at time: PresentTime
    ) -> LiveStep<Choice>

    /// Called before each drawing, to read files that are shown.
    mutating func prepare()

    /// Returns the calls that are due, each once.
    mutating func takeCalls() -> [(call: any LocalCall, purpose: Purpose)]

    /// Takes an answer; a failure that is thrown is one of the connection.
    mutating func receiveAnswer(
        _ answer: LocalAnswer, for purpose: Purpose
    ) throws(LocalFailure) -> LiveStep<Choice>

    /// Called when a call is too large to be made.
    mutating func refuse(_ purpose: Purpose, _ failure: LocalFailure)

    /// Called when the node is gone, with all calls that are not answered.
    mutating func handleLoss()

    /// Called when there is a connection to the node, at first and again.
    mutating func handleReturn()

    /// The lines for a screen of that size, and the cells before the cursor, which is in the first one.
    func screen(width: Int, height: Int, at time: PresentTime) -> (lines: [MarkedText], cursor: Int)
}

/// The step that follows from a key or an answer.
package enum LiveStep<Choice> {
    case stay
    case choose(Choice)
    case leave
    case suspend
}
