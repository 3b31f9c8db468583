package import BatonClient
package import BatonCore
import Glibc

/// The intents and entities that apps of this machine have declared with the library AppIntents.
package struct InstalledIntents: Sendable {
    /// The manifests, in the order of the apps' identifiers.
    package let apps: [IntentManifest]
    /// The reasons why other manifests can't be used.
    package let troubles: [LocalFailure]

    package init(_ apps: [IntentManifest], troubles: [LocalFailure] = []) {
        (self.apps, self.troubles) = (apps, troubles)
    }

    /// Reads the manifests of a home.
    package init(in home: Home) {
        let (manifests, troubles) = IntentManifestFile.readAll(in: home)
        self.init(manifests, troubles: troubles)
    }

    // MARK: Apps

    /// Returns the app that a person named: by its identifier, its title, or the last part of its identifier.
    package func app(named name: String) throws(LocalFailure) -> IntentManifest {
        if let exact = apps.first(where: { $0.app.utf8.elementsEqual(name.utf8) }) { return exact }
        let folded = Folding.search.fold(name)
        let meant = apps.filter { app in
            [app.title, app.lastPart].contains {
                $0.map { Folding.search.fold($0) == folded } ?? false
            }
        }
        if meant.count == 1 { return meant[0] }
        let shown = VisibleText(name).text
        guard meant.isEmpty else {
            throw LocalFailure(
                .usage,
                "“\(shown)” may be any of \(Self.list(meant.map(\.app))). Use the identifier of the app.")
        }
        if let trouble = troubles.first(where: { $0.text.contains("/\(name).json") }) { throw trouble }
        let advice =
            nearest(to: folded).map { "Did you mean \(VisibleText($0).text)?" }
            ?? "`baton intents` lists the apps with intents. An app is listed once it has been started here."
        throw LocalFailure(.notFound, "No app with intents has the name “\(shown)”.\n\(advice)")
    }

    /// Returns the identifier of the app whose identifier, title or last part of the identifier is nearest to a name;
    /// nil if none is near.
    private func nearest(to folded: String) -> String? {
        let names = apps.flatMap { app in
            [app.app, app.title, app.lastPart].compactMap { name in
                name.map { (name: Folding.search.fold($0), app: app.app) }
            }
        }
        let nearest = Suggestion.nearest(to: folded, among: names.map(\.name))
        return names.first { $0.name == nearest }?.app
    }

    /// Returns the intent of an app that a person named: by its name, or by its title.
    package static func intent(named name: String, of app: IntentManifest) throws(LocalFailure)
        -> DeclaredIntent
    {
        if let exact = app.intent(named: name) { return exact }
        let folded = Folding.search.fold(name)
        let titled = app.intents.filter {
            Folding.search.fold($0.title) == folded || Folding.search.fold($0.name) == folded
        }
        if titled.count == 1 { return titled[0] }
        let advice =
            Suggestion.nearest(to: name, among: app.intents.map(\.name)).map { "Did you mean \($0)?" }
            ?? "`baton intents \(app.app)` lists its intents."
        throw LocalFailure(
            .notFound,
            "\(VisibleText(app.label).text) has no intent “\(VisibleText(name).text)”.\n\(advice) If the app was updated, start it once."
        )
    }

    // MARK: Entities

    /// A type of entities, and the app that has it.
    package struct EntityType: Equatable, Sendable {
        package let app: IntentManifest
        package let entity: DeclaredEntity
    }

    /// Returns the type of entities that a person named, by its name, its title or a synonym.
    ///
    /// If an app is given, only the types of that app are considered.
    package func entityType(
        named name: String, of app: String? = nil
    ) throws(LocalFailure) -> EntityType {
        let among = try app.map { (app) throws(LocalFailure) in [try self.app(named: app)] } ?? apps
        let all = among.flatMap { app in app.entities.map { EntityType(app: app, entity: $0) } }
        let folded = Folding.search.fold(name)
        let exact = all.filter { $0.entity.name.utf8.elementsEqual(name.utf8) }
        let meant =
            exact.isEmpty
            ? all.filter { type in
                ([type.entity.name, type.entity.title] + type.entity.synonyms).contains {
                    Folding.search.fold($0) == folded
                }
            } : exact
        if meant.count == 1 { return meant[0] }
        let shown = VisibleText(name).text
        guard meant.isEmpty else {
            throw LocalFailure(
                .usage,
                "Several apps have the type “\(shown)”: \(Self.list(meant.map(\.app.app))). Choose one with --app."
            )
        }
        let advice =
            Suggestion.nearest(to: name, among: all.map(\.entity.name)).map { "Did you mean \($0)?" }
            ?? (all.isEmpty
                ? "An app's entities are known once it has been started on one of your machines."
                : "The types are: \(Self.list(Set(all.map(\.entity.name)).sorted())).")
        throw LocalFailure(.notFound, "No app has entities of the type “\(shown)”.\n\(advice)")
    }

    /// Returns the name of the type of entities that a person named; a name that no app here knows stays, because its app
    /// may be installed on another machine only.
    package func entityTypeName(for name: String) -> String {
        do throws(LocalFailure) { return try entityType(named: name).entity.name } catch { return name }
    }

    /// Returns the intent by which an app opens entities of a type, with its parameter for the entity; nil for none.
    package static func opening(
        _ type: String, in app: IntentManifest
    ) -> (intent: DeclaredIntent, parameter: String)? {
        for intent in app.intents where intent.opens == type {
            let parameter = intent.parameters.first { $0.type.kind == .entity && $0.type.name == type }
            if let parameter { return (intent, parameter.name) }
        }
        return nil
    }

    /// Returns the texts as one text, with commas between them and with control characters escaped.
    package static func list(_ texts: [String]) -> String {
        texts.map { VisibleText($0).text }.joined(separator: ", ")
    }
}

extension IntentManifest {
    /// The name of the app for people.
    package var label: String { title ?? app }

    /// The name by which a person speaks of the app; without a title, it is the last part of the identifier.
    package var spokenName: String { title ?? lastPart ?? app }

    /// The part of the identifier behind the last dot.
    var lastPart: String? { app.split(separator: ".").last.map(String.init) }

    /// The numbers of intents and types of entities in words.
    package var summary: String {
        let types = HumanTime.count(Int64(entities.count), "type") + " of entities"
        let performed = HumanTime.count(Int64(intents.count), "intent")
        return entities.isEmpty ? performed : intents.isEmpty ? types : "\(performed) and \(types)"
    }

    /// The file among the words of the program that does not exist, such as a removed script; nil if there is none.
    package var missingFile: String? {
        program.first { $0.utf8.first == UInt8(ascii: "/") && access($0, F_OK) != 0 }
    }

    /// The sentence that says what to do if the program or a file of it is gone.
    package var removalAdvice: String {
        let forgetting = "if it was removed, type `baton intents --forget \(VisibleText(app).text)`."
        let name = VisibleText(label).text
        return speaksLines
            ? "If \(name) was moved, let it declare its intents anew; \(forgetting)"
            : "If \(name) was moved, start it once; \(forgetting)"
    }

    /// Returns the command by which the app runs an intent.
    package func command(_ arguments: [String]) -> [String] { program + ["intents", "run"] + arguments }

    /// Returns the values that a parameter or property can have; nil if its kind has no list of values.
    package func cases(of type: DeclaredValueType) -> [DeclaredCase]? {
        switch type.kind {
        case .choice: type.name.flatMap { enumeration(named: $0) }?.cases
        case .flag:
            [
                DeclaredCase(name: "true", title: "yes", synonyms: ["y", "on", "1"]),
                DeclaredCase(name: "false", title: "no", synonyms: ["n", "off", "0"]),
            ]
        default: nil
        }
    }
}

extension DeclaredEntity {
    /// The properties, as conditions of `baton find` can use them.
    package var queried: [PropertyQuery.Property] {
        properties.map {
            PropertyQuery.Property(
                $0.name, attribute: $0.attribute, isDate: $0.type.kind == .date || $0.type.kind == .components
            )
        }
    }
}
