import BatonCore
import LocalizedStrings

/// Asks a person at a terminal on behalf of an intent.
package struct TerminalPrompter: IntentPrompter {
    private let terminal: any IntentTerminal
    /// The entities on the person's screens, `TYPE/ID`, which are offered first.
    private let onScreen: [String]
    /// Whether dialogs are shown; with `--json` they are a part of the output.
    private let showsDialogs: Bool

    /// How often a wrong answer is asked for again.
    private static let attemptsMost = 5

    package init(_ terminal: any IntentTerminal, onScreen: [String] = [], showsDialogs: Bool = true) {
        (self.terminal, self.onScreen, self.showsDialogs) = (terminal, onScreen, showsDialogs)
    }

    // MARK: Values

    package func value(_ request: ValueRequest) async throws -> _IntentValueContent {
        var attempts = 0
        while true {
            do {
                let content = try await answer(request)
                try await request.accept(content)
                return content
            } catch let error as IntentValueError where attempts + 1 < Self.attemptsMost {
                attempts += 1
                await terminal.remark(error.description)
            } catch let failure as LocalFailure where attempts + 1 < Self.attemptsMost {
                attempts += 1
                await terminal.remark(failure.text)
            }
        }
    }

    /// Returns one answer, which may be wrong.
    private func answer(_ request: ValueRequest) async throws -> _IntentValueContent {
        if request.form.isList { return .list(try await answers(request)) }
        if let choices = request.choices, !choices.choices.isEmpty {
            let ordered = choices.choices.beginning(with: onScreen)
            return ordered[try await terminal.choose(request.dialog, among: ordered)].content
        }
        let text = try await line(request)
        guard case .entity = request.form.element else { return try reader(request).content(of: text) }
        return try await entity(request, text)
    }

    /// Returns the entity for a text that a person typed: the app's query finds some, and the person chooses.
    private func entity(_ request: ValueRequest, _ text: String) async throws -> _IntentValueContent {
        let found = try await request.form.element.choices(for: text)?.choices ?? []
        switch found.count {
        // The text may be an identifier, which no search finds.
        case 0: return .text(text)
        case 1: return found[0].content
        default:
            let ordered = found.beginning(with: onScreen)
            return ordered[try await terminal.choose(request.dialog, among: ordered)].content
        }
    }

    /// Returns the values of a list: chosen one after the other, or typed with commas between them.
    private func answers(_ request: ValueRequest) async throws -> [_IntentValueContent] {
        guard var left = request.choices?.choices.beginning(with: onScreen), !left.isEmpty else {
            let text = try await line(request)
            return try text.split(separator: ",").map { part in
                try reader(request).content(of: part.trimmingSpaces)
            }
        }
        var chosen: [PromptChoice] = []
        while !left.isEmpty {
            let so = chosen.map(\.title).joined(separator: ", ")
            let done = PromptChoice(title: chosen.isEmpty ? "None" : "Done", subtitle: so.isEmpty ? nil : so)
            let index = try await terminal.choose(
                request.dialog, among: chosen.isEmpty ? left + [done] : [done] + left)
            let place = chosen.isEmpty ? index : index - 1
            guard left.indices.contains(place) else { break }
            chosen.append(left.remove(at: place))
        }
        return chosen.map(\.content)
    }

    private func line(_ request: ValueRequest) async throws -> String {
        try await terminal.line(request.dialog, hint: request.form.name)
    }

    private func reader(_ request: ValueRequest) -> ValueText {
        ValueText(form: request.form.element, currencies: request.currencies)
    }

    // MARK: Other questions

    package func confirmation(_ request: ConfirmationRequest) async throws -> Bool {
        let accept = String(localized: request.action.acceptLabel)
        return try await terminal.confirm(
            request.dialog ?? "\(accept)?", accept: accept,
            decline: String(localized: request.action.denyLabel))
    }

    package func choice(_ request: ChoiceRequest) async throws -> Int {
        let question = request.dialog ?? request.parameter.map { "\($0)?" } ?? "Choose:"
        return try await terminal.choose(question, among: request.choices)
    }

    package func continuation(_ dialog: String?) async throws -> Bool {
        try await terminal.confirm(dialog ?? "Continue in the app?", accept: "Continue", decline: "Cancel")
    }

    package func show(_ dialog: String) async { if showsDialogs { await terminal.say(dialog) } }
}

extension [PromptChoice] {
    /// Returns the choices with those first that are named as `TYPE/ID`, in the order of the names.
    func beginning(with names: [String]) -> [PromptChoice] {
        let places = Dictionary(
            names.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
        let named = indices.filter { self[$0].entityName.map { places[$0] != nil } ?? false }
        let first = named.sorted {
            (places[self[$0].entityName ?? ""] ?? 0) < (places[self[$1].entityName ?? ""] ?? 0)
        }
        let moved = first.map { index in
            var choice = self[index]
            choice.section = "on screen"
            return choice
        }
        return moved + indices.filter { !named.contains($0) }.map { self[$0] }
    }
}

extension PromptChoice {
    /// The type and identifier of the entity; nil for other values.
    fileprivate var entityName: String? {
        guard case .entity(let type, let identifier) = content else { return nil }
        return "\(type)/\(identifier)"
    }
}

extension Substring {
    /// The text without spaces at its ends.
    fileprivate var trimmingSpaces: String {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
