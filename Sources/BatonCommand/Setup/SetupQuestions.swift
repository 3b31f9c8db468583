package import BatonCore
package import BatonTerminal
import Glibc

/// Asks the questions of `baton setup`, each of which Enter answers.
package struct SetupQuestions {
    private let console: Console
    /// Whether the answers that Enter takes are taken without asking.
    package let takesEnter: Bool

    package init(_ console: Console, takesEnter: Bool) {
        (self.console, self.takesEnter) = (console, takesEnter)
    }

    /// The failure if the input ends in place of an answer.
    package static let ended = LocalFailure(
        .failed, "The setup has ended before it was done.\nType `baton setup` to go on.")

    /// Throws if nobody can be asked.
    package func demandPerson() throws(LocalFailure) {
        guard !takesEnter else { return }
        guard Question.canBeAsked, isatty(STDOUT_FILENO) == 1 else {
            throw LocalFailure(
                .usage,
                "`baton setup` asks you questions, and there is no terminal to ask at. --yes takes the usual answers;\n"
                    + "--new NAME or --join CODE chooses the account, and --skip \(SetupPart.list) leaves parts out."
            )
        }
    }

    /// Asks for consent; `usual` is the answer that Enter takes.
    package func isAgreed(to question: VisibleText, usual: Bool = true) throws(LocalFailure) -> Bool {
        guard !takesEnter else { return usual }
        while true {
            switch try answer(to: question + (usual ? " [Y/n]" : " [y/N]")).lowercased() {
            case "": return usual
            case "y", "yes": return true
            case "n", "no": return false
            default: console.print("Type y or n, or Enter for \(usual ? "yes" : "no").")
            }
        }
    }

    /// Asks for a text; `usual` is the answer that Enter takes, and is shown as `shown` if that differs.
    package func text(
        _ question: VisibleText, usual: String, shown: VisibleText? = nil
    ) throws(LocalFailure) -> String {
        guard !takesEnter else { return usual }
        let answer = try answer(to: question + " [" + (shown ?? "\(usual)") + "]")
        return answer.isEmpty ? usual : answer
    }

    /// Reads an answer, without the spaces around it.
    private func answer(to question: VisibleText) throws(LocalFailure) -> String {
        console.print(question)
        try console.flush()
        guard let line = Question.readLine() else {
            throw Self.ended
        }
        let end = line.lastIndex { !$0.isWhitespace }.map { line.index(after: $0) } ?? line.startIndex
        return String(line[..<end].drop(while: \.isWhitespace))
    }
}
