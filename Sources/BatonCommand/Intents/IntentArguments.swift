package import BatonClient
package import BatonCore

/// The values of an intent's parameters in the words of a command: `--size large --topping=nuts --no-sugar`.
package struct IntentArguments: Equatable, Sendable {
    /// The values of each parameter; one that was given several times has several, and one that was given as
    /// `--no-NAME` has none.
    package private(set) var values: [String: [String]] = [:]

    /// Reads the words, and compares them with what the app declares.
    ///
    /// A yes-or-no parameter needs no value: `--NAME` stands for yes, and `--no-NAME` for no. For any other parameter,
    /// `--no-NAME` stands for no value. Parameters that no value was given for are not checked: a focus uses their
    /// default values.
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
            // Bytes, because an accent after the sign would be one character with it.
            let pieces = word.utf8.dropFirst(2).split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(decoding: pieces[0], as: UTF8.self)
            let text = pieces.count > 1 ? String(decoding: pieces[1], as: UTF8.self) : nil
            if let parameter = Self.parameter(name, of: intent) {
                let value =
                    if let text { text } else { try Self.value(for: parameter, in: &rest, of: app) }
                try add(Self.checked(value, of: parameter, in: app), to: parameter)
            } else if name.hasPrefix("no-"), text == nil,
                let parameter = Self.parameter(String(name.dropFirst(3)), of: intent)
            {
                try clear(parameter)
            } else {
                throw Self.unknown(name, of: intent)
            }
        }
    }

    private mutating func add(_ value: String, to parameter: DeclaredParameter) throws(LocalFailure) {
        guard values[parameter.name] == nil || parameter.type.isList else {
            throw LocalFailure(.usage, "--\(parameter.name) is given twice, and takes one value.")
        }
        values[parameter.name, default: []].append(value)
    }

    private mutating func clear(_ parameter: DeclaredParameter) throws(LocalFailure) {
        let name = parameter.name
        guard values[name] == nil else {
            throw LocalFailure(.usage, "--no-\(name) contradicts --\(name). Use one of them.")
        }
        if parameter.isYesOrNo {
            values[name] = ["false"]
        } else if parameter.type.isList || parameter.type.isOptional {
            values[name] = []
        } else {
            throw LocalFailure(.usage, "--no-\(name) is not possible: \(name) needs a value.")
        }
    }

    /// Returns the value of an option that has no `=`.
    private static func value(
        for parameter: DeclaredParameter, in rest: inout ArraySlice<String>, of app: IntentManifest
    ) throws(LocalFailure) -> String {
        let next = rest.first.flatMap { $0.hasPrefix("--") ? nil : $0 }
        if parameter.isYesOrNo {
            // The next word belongs to the option only if it says yes or no.
            guard let next, found(next, among: app.cases(of: parameter.type) ?? []) != nil else {
                return "true"
            }
            rest.removeFirst()
            return next
        }
        guard let next else {
            throw LocalFailure(
                .usage,
                "--\(parameter.name) needs a value. Write one that begins with -- as --\(parameter.name)=VALUE."
            )
        }
        rest.removeFirst()
        return next
    }

    /// Returns the parameter with a name, in which hyphens and capitals don't matter if there is no exact one.
    private static func parameter(_ name: String, of intent: DeclaredIntent) -> DeclaredParameter? {
        intent.parameter(named: name) ?? intent.parameters.first { plain($0.name) == plain(name) }
    }

    private static func plain(_ name: String) -> String {
        name.lowercased().filter { $0 != "-" && $0 != "_" }
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

extension DeclaredParameter {
    /// Whether the parameter takes yes or no, once.
    var isYesOrNo: Bool { type.kind == .flag && !type.isList }
}
