package import BatonCore

/// An offer as a notification of the desktop, shown by `notify-send`.
package struct OfferText {
    private let summary: ActivitySummary

    package init(_ summary: ActivitySummary) { self.summary = summary }

    /// The name of the action that `notify-send` prints when it is chosen.
    static let action = "continue"
    /// The most characters of a title that are shown.
    private static let mostCharacters = 200

    /// The command, which no shell reads; only its last word has texts of other machines.
    ///
    /// Versions before 0.8 of `notify-send` know no actions, and get a text instead that says what to type.
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

    /// Shows a failure to continue an activity, because the person sees no terminal.
    package static func show(_ failure: LocalFailure) {
        let words = [
            "notify-send", "--app-name=Baton", "--", "Not continued",
            escaped(VisibleText(failure.description).text),
        ]
        // If the notification can't be shown, the log has the failure.
        _ = ProgramExchange(with: words, within: .seconds(5))
    }

    /// Escapes a text for the markup that desktops read in it, and for the backslashes that `notify-send` reads.
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
