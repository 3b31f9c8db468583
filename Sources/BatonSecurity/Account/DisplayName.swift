/// Makes device names suitable for certificates and for terminals.
package enum DisplayName {
    /// The maximum length of a name in bytes of UTF-8, which X.509 sets for a common name.
    package static let byteCountLimit = 64
    /// The name of a device if the given name has no visible character.
    package static let fallback = "device"

    /// Removes control characters and invisible characters from a name, and shortens the name to the maximum length.
    package static func sanitised(_ text: String) -> String {
        var name = ""
        // The text may be very long, but only its first few hundred scalars can become part of the name.
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
