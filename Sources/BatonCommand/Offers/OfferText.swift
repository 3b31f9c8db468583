package import BatonCore

/// A notification of the desktop that offers to continue an activity.
///
/// `notify-send` shows it.
package struct OfferText {
    private let summary: ActivitySummary

    package init(_ summary: ActivitySummary) { self.summary = summary }

    /// The name of the action.
    ///
    /// `notify-send` prints it when the person chooses the action.
    static let action = "continue"
    /// The maximum number of characters of a title that are shown.
    private static let mostCharacters = 200

    /// The command that shows the notification, without a shell.
    ///
    /// Only its last word contains text from other machines. Versions of `notify-send` before 0.8 don't support
    /// actions. For them, the notification says which command the person can type.
    package func words(withAction hasAction: Bool) -> [String] {
        let options = ["notify-send", "--app-name=Baton", "--expire-time=20000"]
        let action = hasAction ? ["--action=\(Self.action)=Continue"] : []
        let advice = hasAction ? "" : "\nType: baton continue \(summary.short.text)"
        return options + action + ["--", "Continue here?", Self.escaped(line) + advice]
    }

    private var line: String {
        let title = summary.activity.title ?? summary.activity.type
        let shown = title.count > Self.mostCharacters ? title.prefix(Self.mostCharacters) + "…" : title
        return VisibleText("“\(shown)”, on “\(summary.device.name)”").text
    }

    /// Shows a notification that an activity could not be continued, because the person sees no terminal.
    package static func show(_ failure: LocalFailure) {
        let words = [
            "notify-send", "--app-name=Baton", "--", "Not continued",
            escaped(VisibleText(failure.description).text),
        ]
        // It does not matter whether this succeeds, because the failure is also in the log.
        _ = ProgramExchange(with: words, within: .seconds(5))
    }

    /// Escapes a text for the desktop, which reads markup in it, and for `notify-send`, which reads backslashes.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\\": escaped += "\\\\"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
