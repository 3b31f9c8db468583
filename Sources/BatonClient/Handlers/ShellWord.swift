/// Quotes a word for a shell, for people to read or copy; the result is never run.
package enum ShellWord {
    /// Returns the word, in quotation marks if it needs them.
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
}
