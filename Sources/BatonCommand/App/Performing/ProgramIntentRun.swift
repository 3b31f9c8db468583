package import BatonClient
package import BatonCore
package import BatonTerminal

/// Has a program in any language perform one intent, and prints the result.
package struct ProgramIntentRun {
    private let app: IntentManifest
    private let intent: DeclaredIntent
    private var conversation: IntentConversation
    private let console: Console
    private let isJSON: Bool
    /// Asks the person, and returns the texts of the values, or nil if the person gives no answer; nil if nobody can be
    /// asked.
    private let ask: Ask?

    package typealias Ask = (IntentQuestion) throws(LocalFailure) -> [String]?

    /// The most questions of a program, after which it is taken to ask without an end.
    private static let questionsMost = 20
    /// The most wrong answers to one question.
    private static let attemptsMost = 5

    /// Prepares to run an intent with the values in words such as `--parameter value`.
    ///
    /// Throws if a word is wrong. The program is not started yet. `--json` among the words asks for JSON, too, unless
    /// the intent has a parameter of that name.
    package init(
        _ intent: DeclaredIntent, _ words: [String], in app: IntentManifest, at present: PresentTime,
        finding entities: IndexedEntities, console: Console, isJSON: Bool, ask: Ask?
    ) throws(LocalFailure) {
        (self.app, self.intent) = (app, intent)
        (self.console, self.ask) = (console, ask)
        let isLate = words.contains(Self.json) && intent.parameter(named: "json") == nil
        self.isJSON = isJSON || isLate
        conversation = try IntentConversation(
            intent, isLate ? words.filter { $0 != Self.json } : words, in: app, at: present, finding: entities
        )
    }

    private static let json = "--json"

    /// Asks for missing values, then starts the program and exchanges lines with it until it has performed the intent.
    package mutating func run() throws(LocalFailure) {
        let missing = conversation.missing
        guard ask != nil || missing.isEmpty else { throw Self.noValues(for: missing) }
        for parameter in missing { try put(conversation.question(about: parameter)) }
        var program = try PerformingProgram(app.program)
        for _ in 0...Self.questionsMost {
            program.send(conversation.nextRequest())
            guard let line = try program.next() else {
                program.closeInput()
                throw noAnswer(try program.waitForEnd())
            }
            switch try conversation.answer(in: line) {
            case .question(let question): try put(question)
            case .failed(let text):
                // The program may still write to the terminal, so the prompt of the shell waits for its end.
                program.closeInput()
                if try program.next() == nil { _ = try program.waitForEnd() }
                throw LocalFailure(.failed, VisibleText(text).text)
            case .performed(let value, let dialog):
                try finish(&program)
                return try show(value, dialog)
            }
        }
        throw LocalFailure(
            .failed, "\(label) has asked more than \(Self.questionsMost) questions, so it was stopped.")
    }

    private var label: String { VisibleText(app.label).text }

    /// Waits until the program has ended after its answer; throws if it writes more, or fails after all.
    private func finish(_ program: inout PerformingProgram) throws(LocalFailure) {
        program.closeInput()
        guard try program.next() == nil else {
            throw LocalFailure(
                .failed,
                "\(label) answered one request twice, so it is unknown which answer is right.\nThe program must write one line of JSON for each request, and nothing else, to its standard output."
            )
        }
        let end = try program.waitForEnd()
        guard end == .status(0) else {
            throw LocalFailure(
                .failed,
                "\(label) answered, and then \(end.text). It may have done only a part of “\(intent.title)”.")
        }
    }

    /// Returns the failure for a program that has ended without an answer.
    private func noAnswer(_ end: EndedProgram) -> LocalFailure {
        // An interpreter fails so if its script is gone.
        if let path = app.missingFile {
            return LocalFailure(
                .failed, "\(label) \(end.text): \(path) does not exist.\n\(app.removalAdvice)")
        }
        return LocalFailure(
            .failed,
            "\(label) \(end.text) before it had answered. It may have done a part of “\(intent.title)”.")
    }

    private func show(_ value: JSON, _ dialog: String?) throws(LocalFailure) {
        if isJSON {
            // The keys are those of `APP intents run --json`.
            return console.print(
                .object([
                    .init("intents", .array([.string(intent.name)])), .init("value", value),
                    .init("title", .null), .init("dialogs", .array(dialog.map { [.string($0)] } ?? [])),
                    .init("foreground", .boolean(false)),
                ]))
        }
        if let dialog { console.print(VisibleText(dialog)) }
        switch value {
        case .null: break
        case .string(let text): console.print(exactly: VisibleText(text))
        default: console.print(value)
        }
    }

    // MARK: Questions

    /// Asks the person until the answer is a value of the parameter.
    private mutating func put(_ question: IntentQuestion) throws(LocalFailure) {
        guard let ask else {
            let name = question.parameter.name
            let choices =
                question.choices.isEmpty
                ? "" : " VALUE is one of: \(InstalledIntents.list(question.choices.map(\.name)))."
            throw LocalFailure(
                .usage,
                "\(label) asks: \(VisibleText(question.text).text)\nAdd --\(name) VALUE.\(choices) In a terminal you would be asked."
            )
        }
        for attempt in 1...Self.attemptsMost {
            guard let texts = try ask(question) else { throw LocalFailure(.failed, "Cancelled.") }
            do throws(LocalFailure) {
                return try conversation.answer(question, by: texts)
            } catch {
                guard attempt < Self.attemptsMost else { throw error }
                try console.explain(VisibleText(error.text))
            }
        }
    }

    private static func noValues(for parameters: [DeclaredParameter]) -> LocalFailure {
        let names = parameters.map { "“\($0.name)”" }.joined(separator: ", ")
        let options = parameters.map { "--\($0.name) VALUE" }.joined(separator: " ")
        return LocalFailure(
            .usage, "No values for \(names). Add \(options). In a terminal you would be asked for them.")
    }
}
