import BatonClient
import BatonCommand
import BatonCore

/// The options that `start`, `update` and `run-with` have in common.
enum ActivityOptions {
    static var options: [CommandSpecification.Option] {
        [
            .value("title", "TEXT", "its title, which people see"),
            .value("info", "KEY=VALUE", "a value needed to go on (see below)", repeats: true),
            .value("url", "URL", "the web page that shows the same"),
            .value("keyword", "WORD", "a word to find it by", repeats: true),
            .value("expires", "WHEN", "when it ends: 90s, 10m, 2h, 3d, or a date"),
        ]
    }

    static var notes: [String] {
        [
            "KEY=VALUE is a text. KEY:=VALUE is a number, true, false or null:",
            "  --info file=/etc/hosts --info line:=42 --info zoom:=1.5 --info dark:=true",
            "A path as `file` or `folder` is made to work on your other machines: it is made",
            "absolute, and begins with ~/ if it is below your home folder.",
            "A date is 2026-11-20, 2026-11-20T21:04 (local time) or 2026-11-20T21:04Z.",
        ]
    }

    /// The type of the activity, which is the first operand; throws if it is not one word.
    static func type(_ arguments: Arguments) throws(LocalFailure) -> String {
        let type = arguments[0] ?? ""
        guard !type.isEmpty, type.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
            throw LocalFailure(.usage, "A type must be one word, such as org.example.editing.")
        }
        return type
    }

    /// Returns the change that the options describe.
    ///
    /// Paths are converted to the form that other machines understand.
    static func change(
        _ call: Call, of type: String?, at time: PresentTime = .here
    ) throws(LocalFailure) -> ActivityChange {
        let (arguments, paths) = (call.arguments, PortablePaths(environment: call.environment))
        var change = ActivityChange()
        change.title = arguments.value("title")
        for text in arguments.values("info") {
            var (key, value) = try InfoArgument.parse(text)
            if case .string(let text) = value {
                value = .string(try paths.portable(text, for: key, of: type))
            }
            guard change.set.updateValue(value, forKey: .string(key)) == nil else {
                throw LocalFailure(.usage, "\(key) is given twice. Give it one value.")
            }
        }
        if let url = arguments.value("url") { change.webpage = try webpage(url) }
        let keywords = arguments.values("keyword")
        guard !keywords.contains("") else { throw LocalFailure(.usage, "A keyword is empty.") }
        if !keywords.isEmpty { change.keywords = Set(keywords) }
        if let expires = arguments.value("expires") { change.expiration = try time.expiry(expires) }
        return change
    }

    /// Throws if the address is neither HTTP nor HTTPS.
    ///
    /// Apple's API accepts only these, too.
    private static func webpage(_ text: String) throws(LocalFailure) -> String {
        let lowercase = text.lowercased()
        guard lowercase.hasPrefix("https://") || lowercase.hasPrefix("http://") else {
            throw LocalFailure(.usage, "\(text) is not a web page. Web pages begin with https:// or http://.")
        }
        return text
    }
}
