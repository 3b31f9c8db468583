package import BatonClient
package import BatonCore
package import BatonTerminal

/// Intents of apps, for a person and as JSON.
package struct IntentList {
    private let apps: [IntentManifest]
    /// Whether intents that the app hides and deprecated ones are shown, too.
    private let showsAll: Bool

    package init(_ apps: [IntentManifest], showsAll: Bool) { (self.apps, self.showsAll) = (apps, showsAll) }

    private func intents(of app: IntentManifest) -> [DeclaredIntent] {
        app.intents.filter { showsAll || $0.isDiscoverable && $0.deprecation == nil }
    }

    /// A table with a row for each intent.
    package var table: Table {
        var table = Table([
            .init("APP", least: 6), .init("INTENT", least: 8), .init("DOES", least: 10),
            .init("PARAMETERS", least: 8, isOptional: true), .init("NOTE", least: 6, isOptional: true),
        ])
        for app in apps {
            for intent in intents(of: app) {
                table.add([
                    VisibleText(app.label), VisibleText(intent.name),
                    VisibleText(intent.sentence ?? intent.title),
                    intent.parameters.map { Self.usage(of: $0) }.joined(" "), Self.note(on: intent),
                ])
            }
        }
        return table
    }

    /// Whether there is nothing to show.
    package var isEmpty: Bool { apps.allSatisfy { intents(of: $0).isEmpty } }

    /// Returns the declarations of one app as lines: intents with their parameters, types of entities, and phrases.
    package static func lines(of app: IntentManifest) -> [VisibleText] {
        var lines: [VisibleText] = [app.title.map { "\($0) (\(app.app))" } ?? VisibleText(app.app)]
        for intent in app.intents { lines += [""] + self.lines(about: intent, in: app) }
        for entity in app.entities {
            let names = entity.properties.map { property -> VisibleText in
                property.attribute == nil ? "\(property.name) (not in the index)" : VisibleText(property.name)
            }
            let name: VisibleText = entity.title == entity.name ? "entity" : VisibleText(entity.name)
            let found: VisibleText = entity.isIndexed ? "" : ", not found by `baton find`"
            lines += ["", "\(entity.title) (\(name)\(found)): " + names.joined(", ")]
        }
        let phrases = app.shortcuts.flatMap(\.phrases)
        if !phrases.isEmpty { lines += ["", "Phrases for `baton do`:"] }
        for phrase in phrases { lines.append("  \(SpokenPhrase(phrase).shown(app: app.spokenName))") }
        return lines
    }

    /// Returns an intent with its parameters as lines.
    package static func lines(about intent: DeclaredIntent, in app: IntentManifest) -> [VisibleText] {
        var lines: [VisibleText] = ["\(intent.name): \(intent.sentence ?? intent.title)"]
        if let description = intent.description { lines.append("  \(description)") }
        let note = note(on: intent)
        if !note.isEmpty { lines.append("  " + note) }
        for parameter in intent.parameters { lines.append("  " + details(of: parameter, in: app)) }
        return lines
    }

    private static func usage(of parameter: DeclaredParameter) -> VisibleText {
        parameter.isRequired ? "--\(parameter.name)" : "[--\(parameter.name)]"
    }

    /// Returns a parameter with its kind, its values and its default.
    private static func details(of parameter: DeclaredParameter, in app: IntentManifest) -> VisibleText {
        let kind: VisibleText =
            if let cases = app.cases(of: parameter.type) {
                cases.map { VisibleText($0.name) }.joined("|")
            } else {
                VisibleText(
                    parameter.type.name.map { app.entity(named: $0)?.title ?? $0 }
                        ?? parameter.type.kind.rawValue)
            }
        var text = usage(of: parameter) + " " + kind + (parameter.type.isList ? "…" : "")
        if !parameter.title.isEmpty { text = text + "  \(parameter.title)" }
        if let range = parameter.range { text = text + ", from \(range.least) to \(range.greatest)" }
        if let standard = parameter.standard, !standard.isEmpty { text = text + " (\(standard))" }
        return text
    }

    /// Returns notes for a person about running an intent; empty if there are none.
    private static func note(on intent: DeclaredIntent) -> VisibleText {
        var notes: [VisibleText] = []
        if let deprecation = intent.deprecation {
            notes.append("deprecated: \(deprecation)" + (intent.replacement.map { "; use \($0)" } ?? ""))
        }
        switch intent.authentication {
        case .none: break
        case .session: notes.append("needs an unlocked session")
        case .person: notes.append("needs your password")
        }
        if intent.isFocusFilter { notes.append("for `baton focus set`") }
        if intent.opensApp { notes.append("opens the app") }
        return notes.joined("; ")
    }

    /// The declarations of the apps, with the keys of their manifests.
    package var json: JSON {
        .object([
            .init(
                "apps",
                .array(
                    apps.map { app in
                        var shown = app
                        shown.intents = intents(of: app)
                        return shown.json
                    }))
        ])
    }
}
