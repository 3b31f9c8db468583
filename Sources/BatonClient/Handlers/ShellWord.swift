/// A word as one would type it in a shell, for people to read or to copy; nothing is ever run from it.
package enum ShellWord {
    /// The word, in quotation marks where it needs them.
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
