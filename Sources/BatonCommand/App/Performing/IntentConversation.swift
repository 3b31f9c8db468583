import BatonClient
import BatonCore

/// Exchanges lines of JSON with a program that performs one intent.
///
/// Every request to the program has all values, so the program need not remember an earlier one. The conversation does
/// no input or output of its own.
struct IntentConversation {
    private let intent: DeclaredIntent
    private let app: IntentManifest
    private let present: PresentTime
    private let entities: IndexedEntities
    /// The values by the names of the parameters; a parameter without a value is missing.
    private var values: [String: JSON] = [:]
    /// The number of the last request.
    private var number: Int64 = 0

    /// Begins with the values that a person typed as `--parameter value`, and with default values.
    init(
        _ intent: DeclaredIntent, _ words: [String], in app: IntentManifest, at present: PresentTime,
        finding entities: IndexedEntities
    ) throws(LocalFailure) {
        (self.intent, self.app) = (intent, app)
        (self.present, self.entities) = (present, entities)
        let given = try IntentArguments(words, of: intent, in: app).values
        for parameter in intent.parameters {
            guard let texts = given[parameter.name] ?? parameter.standard.map({ [$0] }) else { continue }
            values[parameter.name] = try value(of: parameter, typed: texts)
        }
    }

    /// Returns the value for texts that a person typed; an entity's title becomes its identifier.
    private func value(of parameter: DeclaredParameter, typed texts: [String]) throws(LocalFailure) -> JSON {
        var texts = texts
        if parameter.type.kind == .entity {
            texts = try texts.map { (text) throws(LocalFailure) in
                try entities.identifier(for: text, ofType: parameter.type.name, at: present)
            }
        }
        return try ParameterValue(parameter, in: app).read(texts, at: present)
    }

    /// The parameters that need a value and have none.
    var missing: [DeclaredParameter] {
        intent.parameters.filter { $0.isRequired && values[$0.name] == nil }
    }

    /// Sets the texts that a person has given as the answer to a question.
    mutating func answer(_ question: IntentQuestion, by texts: [String]) throws(LocalFailure) {
        let parameter = question.parameter
        values[parameter.name] =
            question.choices.isEmpty
            ? try value(of: parameter, typed: texts)
            : try ParameterValue(parameter, in: app).read(texts, at: present)
    }

    /// Returns the question for a parameter that has no value.
    func question(about parameter: DeclaredParameter) throws(LocalFailure) -> IntentQuestion {
        switch parameter.type.kind {
        case .choice: IntentQuestion(parameter, choices: app.cases(of: parameter.type) ?? [])
        case .entity:
            IntentQuestion(
                parameter, choices: try entities.choices(ofType: parameter.type.name, at: present))
        default: IntentQuestion(parameter)
        }
    }

    /// Returns the next request to the program.
    mutating func nextRequest() -> JSON {
        number += 1
        let members = intent.parameters.map { JSON.Member($0.name, values[$0.name] ?? .null) }
        return .event(
            "perform", .init("number", .integer(number)), .init("intent", .string(intent.name)),
            .init("parameters", .object(members)))
    }

    /// Reads the answer to the last request.
    func answer(in line: LineBuffer.Line) throws(LocalFailure) -> IntentAnswer {
        do throws(JSONError) {
            let answer = try IntentAnswer(line, to: number, for: intent, in: app)
            if case .question(let question) = answer { try checkChoices(of: question) }
            return answer
        } catch {
            throw LocalFailure(
                .failed,
                "\(VisibleText(app.label).text) wrote a line that is not an answer (\(VisibleText(error.text).text)): \(Self.beginning(of: line))\nThe program must write one line of JSON for each request, and nothing else, to its standard output."
            )
        }
    }

    /// Throws if a choice of the program can't be a value of the parameter.
    private func checkChoices(of question: IntentQuestion) throws(JSONError) {
        for choice in question.choices {
            do throws(LocalFailure) {
                _ = try ParameterValue(question.parameter, in: app).read([choice.name], at: present)
            } catch {
                throw JSONError("the choice “\(choice.name)”: \(error.text)")
            }
        }
    }

    /// The most bytes of a wrong line that a message shows.
    private static let shownBytes = 80

    private static func beginning(of line: LineBuffer.Line) -> String {
        guard case .whole(let bytes) = line else { return "(too long)" }
        let shown = VisibleText(String(decoding: bytes.prefix(shownBytes), as: UTF8.self)).text
        return bytes.count > shownBytes ? shown + "…" : shown
    }
}
