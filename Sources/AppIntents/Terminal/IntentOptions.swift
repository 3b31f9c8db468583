import BatonClient
import BatonCore

/// The parameters that a person gave in a command, as texts.
struct IntentOptions: Equatable {
    /// The texts for a parameter.
    enum Given: Equatable {
        case texts([String])
        /// No value, said by `--no-NAME`.
        case nothing
    }

    /// The texts by the names of the parameters.
    private(set) var values: [String: Given] = [:]

    /// Reads the words after an intent's name.
    ///
    /// They are `--name value` or `--name=value`, and `--name` or `--no-name` for a truth value. An option that is
    /// repeated gives a list.
    init(
        _ words: [String], parameters: [NamedParameter], intent: String, command: inout IntentCommandWords
    ) throws(LocalFailure) {
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--"), word.count > 2 else {
                throw LocalFailure(
                    .usage,
                    "Unexpected argument: \(word). Give values by name: --NAME VALUE.\(Self.advice(parameters))"
                )
            }
            // Bytes, because an accent after the sign would be one character with it.
            let parts = word.utf8.dropFirst(2).split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(decoding: parts[0], as: UTF8.self)
            let text = parts.count == 2 ? String(decoding: parts[1], as: UTF8.self) : nil
            if let parameter = Self.parameter(name, parameters) {
                try add(text, to: parameter, &rest)
            } else if name.hasPrefix("no-"), text == nil,
                let parameter = Self.parameter(String(name.dropFirst(3)), parameters)
            {
                guard values[parameter.name] == nil else { throw Self.repeated(parameter) }
                values[parameter.name] = parameter.parameter.form.isFlag ? .texts(["no"]) : .nothing
            } else if !command.takeLate(word) {
                throw Self.unknown(name, parameters, intent)
            }
        }
    }

    /// Adds the value of a parameter, which may be the next word.
    private mutating func add(
        _ text: String?, to parameter: NamedParameter, _ rest: inout ArraySlice<String>
    ) throws(LocalFailure) {
        let form = parameter.parameter.form
        var value = text
        if value == nil, let next = rest.first, !next.hasPrefix("--") {
            // A truth value needs no word, so the next one belongs to it only if it is one.
            if !form.isFlag || Bool(word: next) != nil { value = rest.removeFirst() }
        }
        guard let value = value ?? (form.isFlag ? "yes" : nil) else {
            throw LocalFailure(
                .usage,
                "--\(parameter.name) needs a value (\(form.name)). A value that begins with -- is written --\(parameter.name)=VALUE."
            )
        }
        switch values[parameter.name] {
        case .texts(let earlier):
            guard form.isList else { throw Self.repeated(parameter) }
            values[parameter.name] = .texts(earlier + [value])
        case .nothing: throw Self.repeated(parameter)
        case nil: values[parameter.name] = .texts([value])
        }
    }

    /// Returns the failure for a parameter that was given several values, or a value and none.
    private static func repeated(_ parameter: NamedParameter) -> LocalFailure {
        LocalFailure(
            .usage,
            parameter.parameter.form.isList
                ? "--\(parameter.name) and --no-\(parameter.name) can't be given together."
                : "--\(parameter.name) was given twice, and takes one value.")
    }

    /// Returns the parameter with a name, which may have hyphens in place of capitals.
    private static func parameter(_ name: String, _ parameters: [NamedParameter]) -> NamedParameter? {
        parameters.first { $0.name == name }
            ?? parameters.first { ProgramTypes.plain($0.name) == ProgramTypes.plain(name) }
    }

    private static func unknown(
        _ name: String, _ parameters: [NamedParameter], _ intent: String
    ) -> LocalFailure {
        let near = Suggestion.nearest(to: name, among: parameters.map(\.name))
        let advice = near.map { " Did you mean --\($0)?" } ?? Self.advice(parameters)
        return LocalFailure(.usage, "\(intent) has no parameter --\(name).\(advice)")
    }

    private static func advice(_ parameters: [NamedParameter]) -> String {
        parameters.isEmpty
            ? " The intent has no parameters."
            : " Its parameters are: \(parameters.map { "--\($0.name)" }.joined(separator: ", "))."
    }
}
