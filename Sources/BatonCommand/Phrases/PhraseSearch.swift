package import BatonClient
package import BatonCore

/// Finds the shortcut that a person means by a phrase, among those of all apps.
package struct PhraseSearch {
    private let intents: InstalledIntents

    package init(_ intents: InstalledIntents) { self.intents = intents }

    /// The shortcut of a phrase.
    package struct Found: Equatable, Sendable {
        package let app: IntentManifest
        package let shortcut: DeclaredShortcut
        /// The values that the phrase gives to parameters.
        package let values: [String: String]

        /// The name of the intent, and an option for each value of a parameter.
        package var arguments: [String] {
            let own = shortcut.values.filter { values[$0.name] == nil }.map { ($0.name, $0.value) }
            let spoken = values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
                name, value in
                (name, caseName(value, of: name))
            }
            return [shortcut.intent] + (own + spoken).map { "--\($0.0)=\($0.1)" }
        }

        /// Returns the raw value of the case that a person named by its title or a synonym; other values stay.
        private func caseName(_ value: String, of parameter: String) -> String {
            let type = app.intent(named: shortcut.intent)?.parameter(named: parameter)?.type
            let folded = Folding.search.fold(value)
            let found = type.flatMap { app.cases(of: $0) }?.first { declared in
                ([declared.name, declared.title] + declared.synonyms).contains {
                    Folding.search.fold($0) == folded
                }
            }
            return found?.name ?? value
        }
    }

    /// Returns the shortcut of a phrase, among those of one app if it is named.
    ///
    /// Throws a failure with the nearest phrases if no phrase fits, and with the names of the apps if several fit.
    package func shortcut(for typed: String, of app: String? = nil) throws(LocalFailure) -> Found {
        let apps = try app.map { (app) throws(LocalFailure) in [try intents.app(named: app)] } ?? intents.apps
        var found: [Found] = []
        for app in apps where !isNegative(typed, of: app) {
            for shortcut in app.shortcuts {
                let values = shortcut.phrases.lazy.compactMap {
                    SpokenPhrase($0).values(in: typed, app: app.spokenName)
                }.first
                if let values { found.append(Found(app: app, shortcut: shortcut, values: values)) }
            }
        }
        // A phrase without parameters precedes one with parameters, because a parameter takes any words.
        let plain = found.filter(\.values.isEmpty)
        if !plain.isEmpty { found = plain }
        if found.count == 1 { return found[0] }
        guard !found.isEmpty else { throw missing(typed, apps) }
        throw ambiguous(typed, found)
    }

    /// All phrases as people type them, with their apps.
    package var phrases: [(phrase: String, app: IntentManifest)] {
        intents.apps.flatMap { app in
            app.shortcuts.flatMap(\.phrases).map { (SpokenPhrase($0).shown(app: app.spokenName), app) }
        }
    }

    private func isNegative(_ typed: String, of app: IntentManifest) -> Bool {
        app.negativePhrases.contains { SpokenPhrase($0).values(in: typed, app: app.spokenName) != nil }
    }

    // MARK: Failures

    /// The most phrases or commands that an error offers.
    private static let offeredMost = 3

    private func missing(_ typed: String, _ apps: [IntentManifest]) -> LocalFailure {
        let shown = VisibleText(typed).text
        let ranked = apps.flatMap { app in
            app.shortcuts.flatMap(\.phrases).map { text in
                let phrase = SpokenPhrase(text)
                return (distance: phrase.distance(to: typed, app: app.spokenName), app: app, phrase: phrase)
            }
        }.sorted { ($0.distance, $0.app.app, $0.phrase.text) < ($1.distance, $1.app.app, $1.phrase.text) }
        guard !ranked.isEmpty else {
            return LocalFailure(
                .notFound,
                "No app here has phrases. The phrases of an app are known once it has been started here.")
        }
        let nearest = ranked.prefix(Self.offeredMost).map { near in
            "“\(near.phrase.shown(app: near.app.spokenName))” (\(near.app.label))"
        }
        return LocalFailure(
            .notFound,
            "No app here knows the phrase “\(shown)”.\nThe nearest are: \(InstalledIntents.list(nearest)).")
    }

    private func ambiguous(_ typed: String, _ found: [Found]) -> LocalFailure {
        let shown = VisibleText(typed).text
        let apps = Set(found.map(\.app.app)).sorted()
        let commands = found.prefix(Self.offeredMost).map { each in
            let words = ["baton", "run", each.app.app] + each.arguments
            return "`\(VisibleText(words.map { ShellWord.quoted($0) }.joined(separator: " ")).text)`"
        }
        let who =
            apps.count > 1
            ? "\(InstalledIntents.list(apps)) have the same phrase, “\(shown)”"
            : "\(InstalledIntents.list(apps)) has several intents for “\(shown)”"
        return LocalFailure(
            .usage,
            "\(who), so nothing was run.\nType the one that you mean: \(commands.joined(separator: ", or "))."
        )
    }
}
