import BatonClient
import BatonCore
import BatonNetwork
package import BatonTerminal
import CoreSpotlight
import LocalizedStrings

/// The command `APP intents`: takes words, and returns text and an exit status, which is one of those of `baton`.
package struct IntentCommand: Sendable {
    /// The name of the app's program, for messages.
    let program: String
    /// The types of the program.
    let types: ProgramTypes
    /// Asks the person; nil without a terminal.
    let terminal: (any IntentTerminal)?
    /// Finds out who sits at the machine.
    let authenticator: any IntentAuthenticator

    package init(
        program: String, types: ProgramTypes, terminal: (any IntentTerminal)?,
        authenticator: any IntentAuthenticator
    ) {
        (self.program, self.types) = (program, types)
        (self.terminal, self.authenticator) = (terminal, authenticator)
    }

    /// Runs the command; returns the exit status.
    package func run(_ words: [String], on console: sending Console) async -> Int32 {
        do {
            if IntentCommandWords.askForUsage(words) {
                for line in IntentCommandWords.usage(program) { console.print(exactly: VisibleText(line)) }
            } else {
                try await perform(words, console)
            }
            try console.flush()
            return 0
        } catch {
            let failure = IntentFailure(program: program).failure(of: error)
            // The output that is complete is shown before the reason why there is no more.
            try? console.flush()
            console.report(failure, of: VisibleText(program))
            return Int32(failure.code.rawValue)
        }
    }

    private func perform(_ words: [String], _ console: Console) async throws {
        var words = try IntentCommandWords(words, program: program)
        switch words.verb {
        case .list:
            let intents = words.showsAll ? types.intents : types.discoverableIntents
            IntentListing(program: program).list(
                intents.map { DeclaredIntent($0) }, words.isJSON, on: console)
        case .describe:
            describe(try intent(named: words.intent ?? ""), words.isJSON, console)
        case .run: try await runIntent(&words, console)
        case .manifest: try await showManifest(isSaved: words.isSaved, console)
        }
    }

    // MARK: Running

    private func runIntent(_ words: inout IntentCommandWords, _ console: Console) async throws {
        let type = try intent(named: words.intent ?? "")
        let intent = type.init()
        let parameters = IntentReflection.parameters(of: intent)
        if words.asksAboutIntent, !parameters.contains(where: { $0.name == "help" }) {
            return describe(type, words.isJSON || words.rest.contains("--json"), console)
        }
        // The words are checked before the app prepares anything.
        let given = try ParameterWords(
            words.rest, of: type.persistentIdentifier,
            parameters: parameters.map { named in
                let form = named.parameter.form
                return ParameterWords.Parameter(
                    named.name, form: form.name, isList: form.isList, isFlag: form.isFlag)
            },
            isFlagValue: { Bool(word: $0) != nil }, takeOption: { words.takeLate($0) })
        let values = try values(given, parameters)
        if let deprecated = type as? any DeprecatedAppIntent.Type {
            try console.explain(VisibleText(Self.warning(deprecated)))
        }
        try await prepare()
        let isShown = !words.isJSON
        let prompter = terminal.map { terminal in
            TerminalPrompter(terminal, onScreen: words.onScreen, showsDialogs: isShown)
        }
        var performer = IntentPerformer(prompter: prompter, authenticator: authenticator)
        performer.isGuessed = words.isGuessed
        let performance: IntentPerformer.Performance
        do {
            performance = try await performer.perform(intent, values: values)
        } catch let error as IntentValueError {
            throw Self.naming(parameters, error)
        }
        if words.isJSON {
            console.print(performance.json)
        } else {
            // With a terminal, dialogs were shown as they came.
            if prompter == nil { for dialog in performance.dialogs { console.print(VisibleText(dialog)) } }
            if let value = performance.value, !value.isNone {
                console.print(exactly: VisibleText(performance.valueTitle ?? value.summary))
            }
        }
    }

    /// Lets the app prepare itself for its intents.
    private func prepare() async throws {
        // Otherwise the first use of an index would end the program, perhaps in the middle of an intent.
        try BatonApplication.shared.checkNode()
        for program in types.programs { try await program.prepareForIntents() }
    }

    /// Prints the usage of an intent and its parameters.
    private func describe(_ type: any AppIntent.Type, _ isJSON: Bool, _ console: Console) {
        var listing = IntentListing(program: program)
        listing.enumerations = types.enumerations.map { DeclaredEnumeration($0) }
        for entity in types.entities {
            listing.entityTitles[entity.persistentIdentifier] = entity.typeDisplayRepresentation.text
        }
        listing.describe(DeclaredIntent(type), isJSON, on: console)
    }

    /// Returns the failure that names all values that are missing, if more than the first is; else the error itself.
    private static func naming(_ parameters: [NamedParameter], _ error: IntentValueError) -> any Error {
        guard case .missing = error else { return error }
        let names = parameters.filter { $0.parameter.content == nil }.map(\.name)
        guard names.count > 1 else { return error }
        let quoted = names.map { "“\($0)”" }.joined(separator: ", ")
        let options = names.map { "--\($0) VALUE" }.joined(separator: " ")
        return LocalFailure(
            .usage, "No values for \(quoted). Add \(options). In a terminal you would be asked for them.")
    }

    /// Returns the values for the texts that a person gave.
    private func values(
        _ words: ParameterWords, _ parameters: [NamedParameter]
    ) throws -> [String: _IntentValueContent] {
        var values: [String: _IntentValueContent] = [:]
        try demandOneInput(words, parameters)
        for named in parameters {
            guard let given = words.values[named.name] else { continue }
            let form = named.parameter.form
            switch given {
            case .nothing where form.isList: values[named.name] = .list([])
            case .nothing:
                guard form.isOptional else {
                    throw LocalFailure(
                        .usage, "--no-\(named.name) is not possible: \(named.name) needs a value.")
                }
                values[named.name] = _IntentValueContent.none
            case .texts(let texts):
                let details = named.parameter.details
                var reader = ValueText(form: form.element, currencies: details.currencies)
                reader.contentTypes = details.contentTypes
                values[named.name] = try reader.content(of: texts, isList: form.isList)
            }
        }
        return values
    }

    /// Throws if several files are to be read from the standard input, because only the first one would get it.
    private func demandOneInput(
        _ words: ParameterWords, _ parameters: [NamedParameter]
    ) throws(LocalFailure) {
        var inputs: [String] = []
        for named in parameters {
            guard case .file = named.parameter.form.element,
                case .texts(let texts) = words.values[named.name]
            else { continue }
            inputs += texts.filter { $0 == "-" }.map { _ in "--\(named.name)" }
        }
        guard inputs.count > 1 else { return }
        throw LocalFailure(
            .usage,
            "The standard input can be given only once, not for \(inputs.joined(separator: " and ")). Give the path of a file for the others."
        )
    }

    private static func warning<Intent: DeprecatedAppIntent>(_ type: Intent.Type) -> String {
        let advice = DeclaredIntent(type).deprecation ?? ""
        return "\(type.persistentIdentifier) is deprecated. \(advice)"
    }

    // MARK: Names

    /// Returns the intent that a person named.
    private func intent(named name: String) throws(LocalFailure) -> any AppIntent.Type {
        let found = types.intents(named: name)
        guard let first = found.first else {
            let near = Suggestion.nearest(to: name, among: types.intents.map { $0.persistentIdentifier })
            let advice =
                types.intents.isEmpty
                ? "This app has no intents."
                : near.map { "Did you mean \($0)?" } ?? "`\(program) intents list` lists its intents."
            throw LocalFailure(.notFound, "No intent has the name \(name). \(advice)")
        }
        guard found.count == 1 else {
            let names = found.map { String(reflecting: $0) }.joined(separator: ", ")
            throw LocalFailure(
                .notFound,
                "Several intents have the name \(name): \(names). The app must give them different persistent identifiers."
            )
        }
        return first
    }

    // MARK: The manifest

    private func showManifest(isSaved: Bool, _ console: Console) async throws {
        try await prepare()
        let failures = Monitor<[String]>([])
        let report: @Sendable (String) -> Void = { text in failures.change { $0.append(text) } }
        if isSaved {
            let isNew = try await ManifestKeeper.shared.write(asksQueries: true, report: report)
            console.print(isNew ? "The manifest was written." : "The manifest is up to date.")
            try ManifestKeeper.shared.describeTypes()
        } else {
            let manifest = try await ManifestKeeper.shared.manifest(
                of: types, asksQueries: true, report: report)
            console.print(manifest.json)
        }
        for failure in failures.change({ $0 }) { try console.explain(VisibleText(failure)) }
    }
}
