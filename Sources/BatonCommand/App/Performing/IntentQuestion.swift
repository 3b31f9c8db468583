package import BatonClient
package import BatonCore
package import BatonTerminal

/// A question to the person about the value of a parameter.
package struct IntentQuestion: Equatable, Sendable {
    /// The parameter that gets the answer.
    package let parameter: DeclaredParameter
    /// The words of the question.
    package let text: String
    /// The values among which the person chooses; empty if the person types the value.
    package let choices: [DeclaredCase]

    /// Asks for a value by these words.
    package init(_ parameter: DeclaredParameter, _ text: String, choices: [DeclaredCase] = []) {
        (self.parameter, self.text, self.choices) = (parameter, text, choices)
    }

    /// Asks by the title of the parameter.
    package init(_ parameter: DeclaredParameter, choices: [DeclaredCase] = []) {
        self.init(
            parameter, "\(parameter.title.isEmpty ? parameter.name : parameter.title)?", choices: choices)
    }

    /// Has the person answer at a terminal; returns the texts of the values, or nil if they give no answer.
    package func answer(at prompt: TerminalPrompt) throws(LocalFailure) -> [String]? {
        guard !choices.isEmpty else { return try prompt.line(text, hint: hint).map { values(in: $0) } }
        guard parameter.type.isList else {
            return try prompt.choose(text, among: choices.map { shown($0) }).map { [choices[$0].name] }
        }
        return try answers(at: prompt)
    }

    /// Has the person choose several values, one after the other.
    private func answers(at prompt: TerminalPrompt) throws(LocalFailure) -> [String]? {
        var (left, chosen): ([DeclaredCase], [DeclaredCase]) = (choices, [])
        while !left.isEmpty {
            let done = ChoiceScreen.Choice(
                chosen.isEmpty ? "None" : "Done",
                subtitle: chosen.isEmpty ? nil : chosen.map(\.title).joined(separator: ", "))
            let offered = left.map { shown($0) }
            // The end of the list is the usual choice only once something is chosen.
            let index = try prompt.choose(text, among: chosen.isEmpty ? offered + [done] : [done] + offered)
            guard let index else { return nil }
            let place = chosen.isEmpty ? index : index - 1
            guard left.indices.contains(place) else { break }
            chosen.append(left.remove(at: place))
        }
        return chosen.map(\.name)
    }

    private func shown(_ choice: DeclaredCase) -> ChoiceScreen.Choice {
        // Entities may have the same title.
        let hasIdentifier = parameter.type.kind == .entity && choice.title != choice.name
        return ChoiceScreen.Choice(
            choice.title, subtitle: hasIdentifier ? choice.name : nil, synonyms: choice.synonyms)
    }

    // MARK: Lines

    /// The kind of the value, as a person is told at the question.
    package var hint: String {
        let kind =
            switch parameter.type.kind {
            case .integer: "whole number"
            case .real: "number"
            case .flag: "yes or no"
            case .date: "date"
            case .url: "address"
            case .entity: "title or ID"
            default: "text"
            }
        let range = parameter.range.map { " from \($0.least) to \($0.greatest)" } ?? ""
        return kind + range + (parameter.type.isList ? ", with commas between several" : "")
    }

    /// Returns the texts of the values in a typed line; a list has commas between its values.
    package func values(in line: String) -> [String] {
        guard parameter.type.isList else { return [line] }
        return line.split(separator: ",").map { Self.trimmed($0) }.filter { !$0.isEmpty }
    }

    private static func trimmed(_ text: Substring) -> String {
        let begun = text.drop(while: \.isWhitespace)
        return String(begun.prefix(begun.count - begun.reversed().prefix(while: \.isWhitespace).count))
    }
}
