import BatonCore

/// Escapes text for a unit file, in which percent signs, dollar signs, quotation marks and backslashes are special.
enum UnitValue {
    /// Escapes a path that is the whole value of a setting.
    static func whole(_ text: String) throws(LocalFailure) -> String {
        try demandPlain(text)
        return text.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
    }

    /// Escapes a word of a setting that has several words.
    ///
    /// In a command, dollar signs are escaped, too.
    static func word(_ text: String, inCommand isCommand: Bool = false) throws(LocalFailure) -> String {
        var quoted = "\""
        for character in try whole(text) {
            switch character {
            case "\"", "\\": quoted += "\\\(character)"
            case "$" where isCommand: quoted += "$$"
            default: quoted.append(character)
            }
        }
        quoted += "\""
        let isPlain = text.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || UInt8(ascii: "-")...UInt8(ascii: ":") ~= byte
                || [UInt8(ascii: "_"), UInt8(ascii: "["), UInt8(ascii: "]")].contains(byte)
        }
        return isPlain && !text.isEmpty ? text : quoted
    }

    /// Throws if the text can't be written on one line of a unit file.
    private static func demandPlain(_ text: String) throws(LocalFailure) {
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }),
            !text.hasSuffix("\\"),
            text.first != " ", text.last != " "
        else {
            throw LocalFailure(
                .usage, "“\(text)” can't be used in a unit file. Choose a folder with a simpler name.")
        }
    }
}
