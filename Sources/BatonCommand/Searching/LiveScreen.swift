package import BatonCore
package import BatonTerminal

/// A screen in the terminal that handles keys and shows answers of the node.
///
/// The screen does no input or output of its own, except that `prepare` may read files. A `LiveSession` passes keys and
/// answers to the screen, makes its calls, and draws it.
package protocol LiveScreen {
    /// The result if a person chooses something on the screen.
    associatedtype Choice
    /// The reason for a call, by which the screen knows how to use the answer.
    associatedtype Purpose: Equatable

    /// Handles a key that was pressed.
    mutating func press(_ key: Key) -> LiveStep<Choice>

    /// Handles a click on a cell; lines and cells count from zero.
    ///
    /// A click on a row chooses it. A click on the chosen row has the same effect as Enter.
    mutating func click(
        line: Int, cell: Int, width: Int, height: Int, at time: PresentTime
    ) -> LiveStep<Choice>

    /// Called before each drawing.
    ///
    /// The screen reads the files that it shows.
    mutating func prepare()

    /// Returns the calls to make.
    ///
    /// Each call is returned only once.
    mutating func takeCalls() -> [(call: any LocalCall, purpose: Purpose)]

    /// Handles the answer to a call.
    ///
    /// It throws only if the connection can't be used any more.
    mutating func receiveAnswer(
        _ answer: LocalAnswer, for purpose: Purpose
    ) throws(LocalFailure) -> LiveStep<Choice>

    /// Called when a call was not made because it is too large.
    mutating func refuse(_ purpose: Purpose, _ failure: LocalFailure)

    /// Called when the connection to the node is lost.
    ///
    /// The unanswered calls get no answers.
    mutating func handleLoss()

    /// Called when the node is connected: for the first time, and after each loss of the connection.
    mutating func handleReturn()

    /// Returns the lines to draw, and the number of cells before the cursor, which is in the first line.
    func screen(width: Int, height: Int, at time: PresentTime) -> (lines: [MarkedText], cursor: Int)
}

/// The step that follows a key or an answer.
package enum LiveStep<Choice> {
    case stay
    case choose(Choice)
    case leave
    case suspend
}
