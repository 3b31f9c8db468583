import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton search --suggest` and `--forget`: suggests searches to the person, or forgets earlier searches.
enum SearchSuggesting {
    /// Does what the options say; returns false if neither option was given.
    static func run(_ call: Call) throws(LocalFailure) -> Bool {
        let arguments = call.arguments
        let (suggests, forgets) = (arguments.has("suggest"), arguments.has("forget"))
        guard suggests || forgets else { return false }
        let own = suggests ? "suggest" : "forget"
        let allowed = suggests ? ["suggest", "app", "json", "limit"] : ["forget"]
        if let other = others.first(where: { arguments.has($0) && !allowed.contains($0) }) {
            throw LocalFailure(.usage, "--\(own) can't be combined with --\(other).")
        }
        let text = arguments.operands.joined(separator: " ")
        var node = try call.connect()
        guard suggests else {
            _ = try node.ask(ForgetSearches(arguments.operands.isEmpty ? nil : text))
            call.console.print(
                arguments.operands.isEmpty
                    ? "Forgot all your earlier searches." : "Forgot the earlier search “\(text)”.")
            return true
        }
        let suggest = SuggestSearches(text, most: try most(arguments), app: arguments.value("app"))
        show(try node.ask(suggest).suggestions, call)
        return true
    }

    private static let others = [
        "suggest", "forget", "query", "app", "kind", "since", "explain", "watch", "open", "nth", "in", "yes",
        "limit",
        "json",
    ]

    private static func show(_ suggestions: [SearchSuggestion], _ call: Call) {
        if call.isJSON {
            let list = JSON.array(suggestions.map { JSON($0) })
            return call.console.print(.object([.init("suggestions", list)]))
        }
        guard !suggestions.isEmpty else { return call.console.print("No suggestions.") }
        for suggestion in suggestions { call.console.print(VisibleText(suggestion.text)) }
    }

    private static func most(_ arguments: Arguments) throws(LocalFailure) -> Int {
        guard let text = arguments.value("limit") else { return 10 }
        guard let number = Int(text), (1...Limits.suggestions).contains(number) else {
            throw LocalFailure(
                .usage, "With --suggest, --limit takes a number from 1 to \(Limits.suggestions).")
        }
        return number
    }
}
