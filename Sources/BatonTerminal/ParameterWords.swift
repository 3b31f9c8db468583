import BatonClient
package import BatonCore

/// The values of an intent's parameters in the words of a command: `--size large --topping=nuts --no-sugar`.
package struct ParameterWords: Sendable {
    /// A parameter, as far as the grammar depends on it.
    package struct Parameter: Sendable {
        package let name: String
        /// The values that the parameter takes, in words of the person: `a whole number`; nil if messages leave it out.
        package let form: String?
        /// Whether a parameter that is repeated gets a list.
        package let isList: Bool
        /// Whether the parameter takes yes or no, so that its value may be left out.
        package let isFlag: Bool

        package init(_ name: String, form: String?, isList: Bool, isFlag: Bool) {
            (self.name, self.form) = (name, form)
            (self.isList, self.isFlag) = (isList, isFlag)
        }
    }

    /// The values of one parameter.
    package enum Given: Equatable, Sendable {
        case texts([String])
        /// No value, said by `--no-NAME`.
        case nothing
    }

    /// The values by the names of the parameters that were given.
    package private(set) var values: [String: Given] = [:]
    private let intent: String
    private let parameters: [Parameter]

    /// Reads the words after the name of an intent.
    ///
    /// For a parameter that takes yes or no, `--NAME` stands for yes, and `--no-NAME` for no. For any other parameter,
    /// `--no-NAME` stands for no value. `isFlagValue` says whether a word is yes or no: any other word after such a
    /// parameter does not belong to it. `takeOption` takes a word that names no parameter, and returns whether it is an
    /// option of the command.
    package init(
        _ words: [String], of intent: String, parameters: [Parameter], isFlagValue: (String) -> Bool,
        takeOption: (String) -> Bool = { _ in false }
    ) throws(LocalFailure) {
        (self.intent, self.parameters) = (intent, parameters)
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--"), word.count > 2 else {
                throw LocalFailure(
                    .usage,
                    "Unexpected argument: \(VisibleText(word).text). Give values by name: --NAME VALUE. \(advice)"
                )
            }
            // Bytes, because an accent after the sign would be one character with it.
            let parts = word.utf8.dropFirst(2).split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(decoding: parts[0], as: UTF8.self)
            let text = parts.count == 2 ? String(decoding: parts[1], as: UTF8.self) : nil
            if let parameter = parameter(named: name) {
                let value =
                    if let text { text } else { try Self.value(for: parameter, in: &rest, isFlagValue) }
                try add(value, to: parameter)
            } else if name.hasPrefix("no-"), text == nil,
                let parameter = parameter(named: String(name.dropFirst(3)))
            {
                try clear(parameter)
            } else if !takeOption(word) {
                throw unknown(name)
            }
        }
    }

    /// Returns the value of a parameter that was written without `=`, which may be the next word.
    private static func value(
        for parameter: Parameter, in rest: inout ArraySlice<String>, _ isFlagValue: (String) -> Bool
    ) throws(LocalFailure) -> String {
        let next = rest.first.flatMap { $0.hasPrefix("--") ? nil : $0 }
        if let next, !parameter.isFlag || isFlagValue(next) {
            rest.removeFirst()
            return next
        }
        if parameter.isFlag { return "yes" }
        let form = parameter.form.map { " (\($0))" } ?? ""
        throw LocalFailure(
            .usage,
            "--\(parameter.name) needs a value\(form). Write one that begins with -- as --\(parameter.name)=VALUE."
        )
    }

    private mutating func add(_ value: String, to parameter: Parameter) throws(LocalFailure) {
        switch values[parameter.name] {
        case nil: values[parameter.name] = .texts([value])
        case .texts(let earlier) where parameter.isList: values[parameter.name] = .texts(earlier + [value])
        case .texts:
            throw LocalFailure(.usage, "--\(parameter.name) is given twice, and takes one value.")
        case .nothing: throw Self.contradiction(parameter)
        }
    }

    private mutating func clear(_ parameter: Parameter) throws(LocalFailure) {
        guard values[parameter.name] == nil else { throw Self.contradiction(parameter) }
        values[parameter.name] = parameter.isFlag ? .texts(["no"]) : .nothing
    }

    private static func contradiction(_ parameter: Parameter) -> LocalFailure {
        let name = parameter.name
        return LocalFailure(.usage, "--no-\(name) contradicts --\(name). Use one of them.")
    }

    // MARK: Names

    /// Returns a name without hyphens, underscores and capitals.
    package static func plain(_ name: String) -> String {
        name.lowercased().filter { $0 != "-" && $0 != "_" }
    }

    /// Returns the parameter with a name, in which hyphens and capitals don't matter if there is no exact one.
    private func parameter(named name: String) -> Parameter? {
        parameters.first { $0.name == name } ?? parameters.first { Self.plain($0.name) == Self.plain(name) }
    }

    private func unknown(_ name: String) -> LocalFailure {
        let near = Suggestion.nearest(to: name, among: parameters.map(\.name))
        return LocalFailure(
            .usage,
            "\(intent) has no parameter --\(VisibleText(name).text). \(near.map { "Did you mean --\($0)?" } ?? advice)"
        )
    }

    private var advice: String {
        parameters.isEmpty
            ? "It has no parameters."
            : "Its parameters are: \(parameters.map { "--\($0.name)" }.joined(separator: ", "))."
    }
}
