/// Quotes a word for a shell.
///
/// Such words are in commands that people read or copy, and in the script that `baton browser install` writes.
package enum ShellWord {
    /// Returns the word, within quotation marks if it needs them.
    package static func quoted(_ word: String) -> String {
        let plain = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+./:,@%=".utf8)
        if !word.isEmpty, word.utf8.first != UInt8(ascii: "="), word.utf8.allSatisfy(plain.contains) {
            return word
        }
        var quoted = "'"
        for scalar in word.unicodeScalars {
            if scalar == "'" { quoted += "'\\''" } else { quoted.unicodeScalars.append(scalar) }
        }
        return quoted + "'"
    }

    /// Returns the first word of a text that was joined from quoted words, without quotation marks.
    static func first(of text: some StringProtocol) -> String {
        var (word, isQuoted, isEscaped) = ("", false, false)
        for scalar in text.unicodeScalars {
            switch scalar {
            case _ where isEscaped: isEscaped = false
            case "'":
                isQuoted.toggle()
                continue
            case "\\" where !isQuoted:
                isEscaped = true
                continue
            case " " where !isQuoted, "\n" where !isQuoted: return word
            default: break
            }
            word.unicodeScalars.append(scalar)
        }
        return word
    }
}
