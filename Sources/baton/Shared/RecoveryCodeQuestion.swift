import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// Asks the person for the recovery code.
///
/// A script passes the code on the standard input.
enum RecoveryCodeQuestion {
    /// The number of words in a code.
    static let wordCount = 16

    /// Reads codes until `attempt` accepts one or the input ends.
    ///
    /// A script has only one attempt.
    static func ask<Value>(
        _ call: Call, _ attempt: (String) throws(LocalFailure) -> Value
    ) throws(LocalFailure) -> Value {
        guard Question.canBeAsked, !call.isJSON else {
            guard let text = try typed(wordCount) else { throw missing }
            return try attempt(text)
        }
        while true {
            call.console.print(
                "Type the \(String(wordCount)) words of the recovery code; four letters of each are enough:")
            try call.console.flush()
            guard let text = try typed(wordCount, on: call.console) else { break }
            do throws(LocalFailure) {
                return try attempt(text)
            } catch  where error.code == .usage || error.code == .wrongCode {
                call.console.print("\(error.text) Try again.")
            }
        }
        throw missing
    }

    private static var missing: LocalFailure {
        LocalFailure(.usage, "The recovery code was not given. Nothing has changed.")
    }

    /// Reads words until there are enough or a line is empty; returns nil if the input ends before the first word.
    ///
    /// The words may be on any number of lines. With a console, the number of missing words is printed after each line.
    static func typed(_ count: Int, on console: Console? = nil) throws(LocalFailure) -> String? {
        var text = ""
        while true {
            let missing = count - RecoveryCodeText.count(in: text)
            guard missing > 0 else { break }
            if !text.isEmpty, let console {
                console.print("\(HumanTime.count(Int64(missing), "more word")), or Enter to begin again:")
                try console.flush()
            }
            guard let line = Question.readLine() else { return text.isEmpty ? nil : text }
            if line.allSatisfy(\.isWhitespace) {
                if text.isEmpty { continue }
                break
            }
            text += text.isEmpty ? line : " " + line
        }
        return text
    }
}
