package import BatonCore

/// A screen at a terminal that handles keys and shows answers of the node.
///
/// It does no input or output of its own, except that `prepare` may read files. A `LiveSession` passes keys and answers
/// to it, makes its calls, and draws it.
package protocol LiveScreen {
    /// The thing that a person has chosen when they leave the screen.
    associatedtype Choice
    /// Identifies the call that an answer belongs to.
    associatedtype Purpose: Equatable

    /// Handles a key.
    mutating func press(_ key: Key) -> LiveStep<Choice>

    /// Handles a click at a cell of a screen of that size; lines and cells count from zero.
    ///
    /// A click chooses a row, and a click at the chosen row does what Enter does.
    mutating func click(
        line: Int, cell: Int, width: Int, height: Int, at time: PresentTime
    ) -> LiveStep<Choice>

    /// Called before each drawing, to read files that are shown.
    mutating func prepare()

    /// Returns the calls that are due, each once.
    mutating func takeCalls() -> [(call: any LocalCall, purpose: Purpose)]

    /// Takes an answer; throws only failures of the connection.
    mutating func receiveAnswer(
        _ answer: LocalAnswer, for purpose: Purpose
    ) throws(LocalFailure) -> LiveStep<Choice>

    /// Called when a call is too large to be made.
    mutating func refuse(_ purpose: Purpose, _ failure: LocalFailure)

    /// Called when the connection to the node is lost; none of its unanswered calls will be answered.
    mutating func handleLoss()

    /// Called when the node is connected, at first and after each loss.
    mutating func handleReturn()

    /// The lines for a screen of that size, and the number of cells before the cursor, which is in the first line.
    func screen(width: Int, height: Int, at time: PresentTime) -> (lines: [MarkedText], cursor: Int)
}

/// The step that follows from a key or an answer.
package enum LiveStep<Choice> {
    case stay
    case choose(Choice)
    case leave
    case suspend
}
