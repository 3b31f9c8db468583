import BatonClient
import BatonCore

/// Asks the person for the recovery code, or reads it from the standard input of a script.
enum RecoveryCodeQuestion {
    /// How many words a code has.
    static let wordCount = 16

    /// Has what is typed tried until it is right, or the input ends; a script has one try.
    static func ask<Value>(
        _ call: Call, _ attempt: (String) throws(LocalFailure) -> Value
    ) throws(LocalFailure) -> Value {
        guard Question.canBeAsked, !call.isJSON else {
            guard let text = typed(wordCount) else { throw missing }
            return try attempt(text)
        }
        while true {
            call.console.print(
                "Type the \(String(wordCount)) words of the recovery code; four letters of each are enough:")
            try call.console.flush()
            guard let text = typed(wordCount) else { break }
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

    /// What is typed, on as many lines as it takes, up to an empty one; nothing if the input ends before anything came.
    static func typed(_ count: Int) -> String? {
        var text = ""
        while RecoveryCodeText.count(in: text) < count {
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
