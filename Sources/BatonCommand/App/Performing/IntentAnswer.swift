import BatonClient

/// The answer of a program to the request to perform an intent.
enum IntentAnswer: Equatable, Sendable {
    /// The program has performed the intent.
    case performed(value: JSON, dialog: String?)
    /// The program could not perform the intent; the text says why.
    case failed(String)
    /// The program asks for the value of a parameter, and gets another request with that value.
    case question(IntentQuestion)

    /// Reads the answer to the request with a number.
    init(
        _ line: LineBuffer.Line, to number: Int64, for intent: DeclaredIntent, in app: IntentManifest
    ) throws(JSONError) {
        guard case .whole(let bytes) = line else { throw JSONError("the line is too long") }
        let members = try JSONMembers(
            JSON(reading: bytes), "the answer",
            keys: ["performed", "result", "dialog", "error", "ask", "text", "choices"])
        guard let answered = members["performed"]?.integer else {
            throw JSONError("`performed` must be the number of the request, \(number)")
        }
        guard answered == number else {
            throw JSONError("`performed` is \(answered), and the request was \(number)")
        }
        if let error = try members.text("error") {
            try Self.refuse(["result", "dialog", "ask", "text", "choices"], beside: "error", in: members)
            guard !error.isEmpty else { throw JSONError("`error` must say why the intent failed") }
            self = .failed(error)
        } else if let name = try members.text("ask") {
            try Self.refuse(["result", "dialog"], beside: "ask", in: members)
            self = .question(try Self.question(name, members, intent, app))
        } else {
            for key in ["text", "choices"] where members[key] != nil {
                throw JSONError("`\(key)` needs an `ask`")
            }
            self = .performed(value: members["result"] ?? .null, dialog: try members.text("dialog"))
        }
    }

    /// Throws if the answer has keys that belong to another kind of answer.
    private static func refuse(
        _ keys: [String], beside key: String, in members: JSONMembers
    ) throws(JSONError) {
        for other in keys where members[other] != nil {
            throw JSONError("`\(other)` and `\(key)` can't be in one answer")
        }
    }

    private static func question(
        _ name: String, _ members: JSONMembers, _ intent: DeclaredIntent, _ app: IntentManifest
    ) throws(JSONError) -> IntentQuestion {
        guard let parameter = intent.parameter(named: name) else {
            let names = intent.parameters.map(\.name)
            let advice =
                Suggestion.nearest(to: name, among: names).map { "did you mean `\($0)`?" }
                ?? "its parameters are: \(names.joined(separator: ", "))"
            throw JSONError("`ask` names `\(name)`, which is no parameter of \(intent.name); \(advice)")
        }
        var choices = parameter.type.kind == .choice ? app.cases(of: parameter.type) ?? [] : []
        if let list = members["choices"] {
            let read = try DeclarationShape.list(.answer).read(list, at: "`choices`")
            choices = try (read.array ?? []).map { (choice) throws(JSONError) in try DeclaredCase(choice) }
            guard !choices.isEmpty else { throw JSONError("`choices` is empty") }
        }
        if let text = try members.text("text"), !text.isEmpty {
            return IntentQuestion(parameter, text, choices: choices)
        }
        return IntentQuestion(parameter, choices: choices)
    }
}
