/// Finds the shortcut that a person means by a phrase.
package struct PhraseMatch: Sendable {
    /// The shortcut.
    package let shortcut: AppShortcut
    /// The values that the phrase gives to parameters, as texts.
    package let values: [String: _IntentValueContent]

    /// Returns the shortcuts whose phrase this is; more than one if several have it.
    ///
    /// Capitals, punctuation and the name of the app don't count. A negative phrase runs none.
    package static func matches(
        _ phrase: String, among shortcuts: [AppShortcut], except negatives: [NegativeAppShortcutPhrase] = [],
        app: String
    ) -> [PhraseMatch] {
        let spoken = words(of: phrase)
        if negatives.contains(where: { words(of: $0.phrase) == spoken }) { return [] }
        return shortcuts.compactMap { shortcut in
            for known in shortcut.phrases {
                if let values = values(in: spoken[...], parts: known.parts[...], app: words(of: app)) {
                    return PhraseMatch(shortcut: shortcut, values: values.mapValues { .text($0) })
                }
            }
            return nil
        }
    }

    /// Returns the values of parameters if the words fit the parts; a parameter gets as few words as possible.
    private static func values(
        in spoken: ArraySlice<String>, parts: ArraySlice<ShortcutPhrase.Part>, app: [String]
    ) -> [String: String]? {
        guard let part = parts.first else { return spoken.isEmpty ? [:] : nil }
        let rest = parts.dropFirst()
        switch part {
        case .words(let text):
            let expected = words(of: text)
            guard spoken.starts(with: expected) else { return nil }
            return values(in: spoken.dropFirst(expected.count), parts: rest, app: app)
        case .application:
            if !app.isEmpty, spoken.starts(with: app),
                let found = values(in: spoken.dropFirst(app.count), parts: rest, app: app)
            {
                return found
            }
            // The name may be missing where the command has named the app already.
            return values(in: spoken, parts: rest, app: app)
        case .parameter(let name):
            guard !spoken.isEmpty else { return nil }
            for count in 1...spoken.count {
                if var found = values(in: spoken.dropFirst(count), parts: rest, app: app) {
                    found[name] = spoken.prefix(count).joined(separator: " ")
                    return found
                }
            }
            return nil
        }
    }

    private static func words(of text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" }.map(String.init)
    }
}
