package import BatonClient
package import BatonCore

/// The values of an intent's parameters in the words of a command: `--size large --topping=nuts`.
package struct IntentArguments: Equatable, Sendable {
    /// The values of each parameter; one that was given several times has several.
    package private(set) var values: [String: [String]] = [:]

    /// Reads the words, and compares them with what the app declares.
    ///
    /// Parameters that no value was given for are not checked: a focus uses their default values.
    package init(
        _ words: [String], of intent: DeclaredIntent, in app: IntentManifest
    ) throws(LocalFailure) {
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--"), word.count > 2 else {
                throw LocalFailure(
                    .usage,
                    "Unexpected argument: \(VisibleText(word).text). Type values as --parameter value.")
            }
            let pieces = word.dropFirst(2).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(pieces[0])
            guard let parameter = intent.parameter(named: name) else { throw Self.unknown(name, of: intent) }
            let value = pieces.count > 1 ? String(pieces[1]) : rest.popFirst()
            guard let value else {
                throw LocalFailure(.usage, "--\(name) needs a value.")
            }
            if values[name] != nil, !parameter.type.isList {
                throw LocalFailure(.usage, "--\(name) is given twice, and takes one value.")
            }
            values[name, default: []].append(try Self.checked(value, of: parameter, in: app))
        }
    }

    private static func unknown(_ name: String, of intent: DeclaredIntent) -> LocalFailure {
        let names = intent.parameters.map { "--" + $0.name }
        let advice =
            Suggestion.nearest(to: "--" + name, among: names).map { "Did you mean \($0)?" }
            ?? (names.isEmpty ? "It has none." : "Its parameters are: \(names.joined(separator: ", ")).")
        return LocalFailure(
            .usage, "“\(intent.title)” has no parameter --\(VisibleText(name).text). \(advice)")
    }

    /// Returns the value as the intent takes it; throws if it is none of an enumeration's cases.
    private static func checked(
        _ value: String, of parameter: DeclaredParameter, in app: IntentManifest
    ) throws(LocalFailure) -> String {
        guard let cases = app.cases(of: parameter.type) else { return value }
        let folded = Folding.search.fold(value)
        let found = cases.first { declared in
            ([declared.name, declared.title] + declared.synonyms).contains {
                Folding.search.fold($0) == folded
            }
        }
        guard let found else {
            throw LocalFailure(
                .usage,
                "--\(parameter.name) can't be “\(VisibleText(value).text)”. Use one of: \(InstalledIntents.list(cases.map(\.name)))."
            )
        }
        return found.name
    }
}
