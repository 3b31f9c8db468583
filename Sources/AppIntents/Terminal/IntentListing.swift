import BatonClient
import BatonCore
import BatonTerminal

/// Prints intents for a person, or as JSON.
struct IntentListing {
    /// The name of the app's program, for usage lines.
    let program: String
    /// The app's enumerations, whose cases are listed.
    var enumerations: [DeclaredEnumeration] = []
    /// The titles of types of entities, by their names.
    var entityTitles: [String: String] = [:]

    // MARK: All intents

    /// Prints a line for each intent.
    func list(_ intents: [DeclaredIntent], _ isJSON: Bool, on console: Console) {
        if isJSON { return console.print(.array(intents.map(\.json))) }
        guard !intents.isEmpty else {
            return console.print("This app has no intents that it lists.")
        }
        var table = Table([
            .init("intent"), .init("title", least: 8), .init("needs", least: 8, isOptional: true),
        ])
        for intent in intents {
            let needs = intent.parameters.filter(\.isRequired).map { "--\($0.name)" }.joined(separator: " ")
            table.add(marked: [
                MarkedText(VisibleText(intent.name), .name), MarkedText(VisibleText(intent.title)),
                MarkedText(VisibleText(needs), .dim),
            ])
        }
        console.print(table)
    }

    // MARK: One intent

    /// Prints the usage of an intent and its parameters.
    func describe(_ intent: DeclaredIntent, _ isJSON: Bool, on console: Console) {
        if isJSON { return console.print(intent.json) }
        console.print(VisibleText(intent.title))
        if let description = intent.description { console.print(VisibleText(description)) }
        if let sentence = intent.sentence { console.print(VisibleText(sentence)) }
        console.print("")
        console.print(exactly: VisibleText(usage(of: intent)))
        for note in notes(intent) { console.print(VisibleText(note)) }
        guard !intent.parameters.isEmpty else { return }
        console.print("")
        var table = Table([
            .init("parameter"), .init("value", least: 8), .init("default", isOptional: true),
            .init("meaning", least: 12, isOptional: true),
        ])
        for parameter in intent.parameters {
            table.add(marked: [
                MarkedText(VisibleText("--\(parameter.name)"), .name),
                MarkedText(VisibleText(kind(parameter))),
                MarkedText(VisibleText(parameter.standard ?? (parameter.isRequired ? "required" : ""))),
                MarkedText(VisibleText(parameter.description ?? parameter.title)),
            ])
        }
        console.print(table)
    }

    /// Returns the command line, with brackets around what may be left out.
    func usage(of intent: DeclaredIntent) -> String {
        let options = intent.parameters.map { parameter in
            let option =
                parameter.type.kind == .flag ? "--[no-]\(parameter.name)" : "--\(parameter.name) VALUE"
            let repeated = parameter.type.isList ? "\(option) …" : option
            return parameter.isRequired ? repeated : "[\(repeated)]"
        }
        return (["Usage: \(program) intents run \(intent.name)"] + options).joined(separator: " ")
    }

    /// Returns sentences on what a person should know before running the intent.
    private func notes(_ intent: DeclaredIntent) -> [String] {
        var notes: [String] = []
        if let deprecation = intent.deprecation { notes.append("Deprecated. \(deprecation)") }
        switch intent.authentication {
        case .none: break
        case .session: notes.append("Your session must not be locked.")
        case .person: notes.append("You are asked for your password.")
        }
        if intent.opensApp { notes.append("It opens the app.") }
        if intent.isFocusFilter { notes.append("It also runs when your focus changes.") }
        return notes
    }

    /// Returns the kind of a parameter's values, with the values if they are few.
    private func kind(_ parameter: DeclaredParameter) -> String {
        let type = parameter.type
        var text =
            switch type.kind {
            case .choice:
                enumerations.first { $0.name == type.name }?.cases.map(\.name).joined(separator: ", ")
                    ?? type.name ?? "choice"
            case .entity:
                "\(type.name.flatMap { entityTitles[$0] } ?? type.name ?? "entity"): its title or identifier"
            case .text: "text"
            case .integer: "whole number"
            case .real: "number"
            case .flag: "yes or no"
            case .date: "date, such as 2026-03-01 14:30 or tomorrow"
            case .components: "date or time, such as 14:30"
            case .url: "address"
            case .measurement: "number with unit, such as 3.5 km"
            case .money: "amount, such as 12.50 EUR"
            case .file: "path of a file, or -"
            case .person: "name or address of a person"
            case .paymentMethod: "name of a way to pay"
            case .identifier: "identifier, such as Book/42"
            case .union: "value of one of several kinds"
            case .nothing: "no value"
            }
        if let range = parameter.range { text += " from \(range.least) to \(range.greatest)" }
        return type.isList ? "\(text) (repeat the option for more)" : text
    }
}
