/// How a device's name is made fit for a certificate and for a terminal.
package enum DisplayName {
    /// The most bytes of UTF-8 that a name may have: what X.509 grants a common name.
    package static let byteCountLimit = 64
    /// The name of a device whose name had nothing in it that can be shown.
    package static let fallback = "device"

    /// The name without what can't be seen or would steer a terminal, and no longer than the limit.
    package static func sanitised(_ text: String) -> String {
        var name = ""
        // A text of any length may come in; what is beyond some hundred scalars could not be kept anyway.
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
