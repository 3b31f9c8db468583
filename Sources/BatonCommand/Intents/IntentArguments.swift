package import BatonClient
package import BatonCore
import BatonTerminal

/// The values of an intent's parameters in the words of a command, compared with what the app declares.
package struct IntentArguments: Equatable, Sendable {
    /// The values of each parameter; one that was given several times has several, and one that was given as
    /// `--no-NAME` has none.
    package private(set) var values: [String: [String]] = [:]

    /// Reads the words after the name of an intent (`ParameterWords`).
    ///
    /// Parameters that no value was given for are not checked: a focus uses their default values.
    package init(
        _ words: [String], of intent: DeclaredIntent, in app: IntentManifest
    ) throws(LocalFailure) {
        let flag = app.cases(of: DeclaredValueType(.flag)) ?? []
        let given = try ParameterWords(
            words, of: "“\(intent.title)”",
            parameters: intent.parameters.map { parameter in
                ParameterWords.Parameter(
                    parameter.name, form: nil, isList: parameter.type.isList,
                    isFlag: parameter.type.kind == .flag && !parameter.type.isList)
            },
            isFlagValue: { Self.found($0, among: flag) != nil })
        for parameter in intent.parameters {
            switch given.values[parameter.name] {
            case .texts(let texts):
                values[parameter.name] = try texts.map { (text) throws(LocalFailure) in
                    try Self.checked(text, of: parameter, in: app)
                }
            case .nothing where parameter.type.isList || parameter.type.isOptional:
                values[parameter.name] = []
            case .nothing:
                throw LocalFailure(
                    .usage, "--no-\(parameter.name) is not possible: \(parameter.name) needs a value.")
            case nil: break
            }
        }
    }

    /// Returns the value as the intent takes it; throws if it is none of an enumeration's cases.
    static func checked(
        _ value: String, of parameter: DeclaredParameter, in app: IntentManifest
    ) throws(LocalFailure) -> String {
        guard let cases = app.cases(of: parameter.type) else { return value }
        guard let found = found(value, among: cases) else {
            let right =
                parameter.type.kind == .flag
                ? "yes or no" : "one of: \(InstalledIntents.list(cases.map(\.name)))"
            throw LocalFailure(
                .usage,
                "--\(parameter.name) can't be “\(VisibleText(value).text)”. Use \(right).")
        }
        return found.name
    }

    /// Returns the case with a name, a title or a synonym.
    private static func found(_ value: String, among cases: [DeclaredCase]) -> DeclaredCase? {
        let folded = Folding.search.fold(value)
        return cases.first { declared in
            ([declared.name, declared.title] + declared.synonyms).contains {
                Folding.search.fold($0) == folded
            }
        }
    }
}
