/// Makes device names fit for certificates and for terminals.
package enum DisplayName {
    /// The most bytes of UTF-8 in a name, which is the limit of X.509 for a common name.
    package static let byteCountLimit = 64
    /// The name of a device whose given name has no visible character.
    package static let fallback = "device"

    /// Removes invisible and control characters from a name, and cuts it to the limit.
    package static func sanitised(_ text: String) -> String {
        var name = ""
        // A text may have any length. Only its first few hundred scalars can end up in the name.
        for scalar in text.unicodeScalars.prefix(4 * byteCountLimit) where isShown(scalar) {
            if scalar.properties.isWhitespace {
                if !name.isEmpty, name.last != " " { name.append(" ") }
            } else {
                name.unicodeScalars.append(scalar)
            }
        }
        while name.utf8.count > byteCountLimit || name.last == " " { name.removeLast() }
        return name.isEmpty ? fallback : name
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
            scalar == "\t" || scalar == "\n"
        default:
            true
        }
    }
}
