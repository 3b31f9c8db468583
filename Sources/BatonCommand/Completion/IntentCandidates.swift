import BatonClient
package import BatonCore

/// Finds candidates for completion in the manifests of apps, and asks the node for focuses, and for the types and titles
/// of entities.
package struct IntentCandidates {
    private let home: Home
    private let intents: InstalledIntents
    /// The operands before the word that is completed.
    private let operands: [String]
    /// The part of the word that was typed.
    private let beginning: String

    package init(_ home: Home, operands: [String], beginning: String) {
        (self.home, intents) = (home, InstalledIntents(in: home))
        (self.operands, self.beginning) = (operands, beginning)
    }

    package typealias Candidate = CompletionPlace.Candidate

    /// The longest time that completion waits for the node.
    private static let patience = Duration.milliseconds(300)
    /// The most titles that are offered.
    private static let titlesMost = 50

    /// Returns the candidates for a place; none for a place that needs no manifest.
    package func candidates(for place: CompletionPlace) -> [Candidate] {
        switch place {
        case .intentApps: apps
        case .intents: app.map { intents(of: $0) { _ in true } } ?? []
        case .intentArguments: arguments(behind: 2, of: app)
        case .entityTypes, .openable: types
        case .entities: operands.first.flatMap { type(named: $0) }.map { titles($0) } ?? []
        case .properties: operands.first.flatMap { type(named: $0) }.map { properties($0) } ?? []
        case .phrases: PhraseSearch(intents).phrases.map { Candidate($0.phrase, $0.app.label) }
        case .focusWords: focusWords
        case .focusOperands: focusOperands
        default: []
        }
    }

    // MARK: Apps and intents

    private var apps: [Candidate] { intents.apps.map { Candidate($0.app, $0.title ?? "") } }

    private var app: IntentManifest? { operands.first.flatMap { app(named: $0) } }

    private func app(named name: String) -> IntentManifest? {
        do throws(LocalFailure) { return try intents.app(named: name) } catch { return nil }
    }

    private func intents(of app: IntentManifest, where isMeant: (DeclaredIntent) -> Bool) -> [Candidate] {
        app.intents.filter(isMeant).map { Candidate($0.name, $0.title) }
    }

    // MARK: Parameters and values

    /// Returns the parameters of an intent, or the values of the parameter at the cursor.
    ///
    /// The arguments of the intent follow after `count` operands, and the last of these operands names the intent.
    private func arguments(behind count: Int, of app: IntentManifest?) -> [Candidate] {
        guard let app, operands.count >= count, let intent = app.intent(named: operands[count - 1]) else {
            return []
        }
        let typed = operands.dropFirst(count)
        if let last = typed.last, last.hasPrefix("--"), !last.contains("="),
            let parameter = intent.parameter(named: String(last.dropFirst(2)))
        {
            return values(of: parameter, in: app)
        }
        let given = Set(typed.filter { $0.hasPrefix("--") }.map { String($0.prefix { $0 != "=" }) })
        return intent.parameters.filter { $0.type.isList || !given.contains("--" + $0.name) }.map {
            Candidate("--" + $0.name, $0.title)
        }
    }

    private func values(of parameter: DeclaredParameter, in app: IntentManifest) -> [Candidate] {
        if let cases = app.cases(of: parameter.type) { return cases.map { Candidate($0.name, $0.title) } }
        guard parameter.type.kind == .entity, let type = parameter.type.name,
            let entity = app.entity(named: type), entity.isIndexed
        else { return [] }
        return titles(InstalledIntents.EntityType(app: app, entity: entity))
    }

    // MARK: Entities

    /// The manifests of this machine, with what the account knows about types of entities.
    private var joined: InstalledIntents {
        do throws(LocalFailure) {
            var node = try NodeConnection(home, within: Self.patience)
            return intents.joined(with: try node.ask(ListEntityTypes(), within: Self.patience).types)
        } catch {
            return intents
        }
    }

    private var types: [Candidate] {
        joined.apps.flatMap { app in
            app.entities.filter(\.isIndexed).map { Candidate($0.name, app.label) }
        }
    }

    /// Returns the type with a name; nil if no app has it, or several have.
    private func type(named name: String) -> InstalledIntents.EntityType? {
        do throws(LocalFailure) {
            if let type = try intents.whollyKnownType(named: name, of: nil) { return type }
            return try joined.entityType(named: name)
        } catch {
            return nil
        }
    }

    /// Returns the properties that are in the index, with a hyphen if one was typed.
    private func properties(_ type: InstalledIntents.EntityType) -> [Candidate] {
        let hyphen = beginning.hasPrefix("-") ? "-" : ""
        return type.entity.properties.filter { $0.attribute != nil }.map {
            Candidate(hyphen + $0.name, $0.title.isEmpty ? $0.type.kind.rawValue : $0.title)
        }
    }

    /// Returns the titles that begin with what was typed; entities with equal titles are offered by their identifiers.
    private func titles(_ type: InstalledIntents.EntityType) -> [Candidate] {
        do throws(LocalFailure) {
            var node = try NodeConnection(home, within: Self.patience)
            let search = EntitySearch(of: type, titled: beginning, isBeginning: true, most: Self.titlesMost)
            let found = search.found(try node.ask(search.call(at: .here), within: Self.patience))
            let counts = Dictionary(found.map { ($0.result.thing.title ?? "", 1) }, uniquingKeysWith: +)
            return found.map { entity in
                let title = entity.result.thing.title ?? ""
                return counts[title] == 1 && !title.isEmpty
                    ? Candidate(title, entity.result.thing.summary ?? "")
                    : Candidate(entity.identifier, title)
            }
        } catch {
            // A message would disturb the line that the person is typing.
            return []
        }
    }

    // MARK: Focuses

    private var focuses: [Candidate] {
        do throws(LocalFailure) {
            var node = try NodeConnection(home, within: Self.patience)
            return try node.ask(ListFocuses(), within: Self.patience).settings.focuses.map {
                Candidate($0.name, "focus")
            }
        } catch {
            return []
        }
    }

    private var focusWords: [Candidate] { focuses + FocusName.reserved.sorted().map { Candidate($0) } }

    /// The candidates after the first word of `baton focus`.
    private var focusOperands: [Candidate] {
        let apps = intents.apps.filter { $0.intents.contains(where: \.isFocusFilter) }
        switch (operands.first, operands.count) {
        case ("show", 1), ("remove", 1), ("set", 1), ("unset", 1): return focuses
        case ("set", 2), ("unset", 2): return apps.map { Candidate($0.app, $0.title ?? "") }
        case ("set", 3), ("unset", 3):
            return app(named: operands[2]).map { intents(of: $0, where: \.isFocusFilter) } ?? []
        case ("set", let count) where count > 3: return arguments(behind: 4, of: app(named: operands[2]))
        default: return []
        }
    }
}
