import Foundation

/// The languages that the person prefers, according to the environment variables of the process.
///
/// Foundation on Linux does not read these variables. This type follows the rules of gettext.
package struct PreferredLanguages: Sendable {
    /// The codes of the languages in lower case, such as `pt-br`, in the order of preference.
    private let codes: [String]

    /// The languages of the person who runs this process.
    static let person = PreferredLanguages(ProcessInfo.processInfo.environment)

    /// Reads `LANGUAGE`, and the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is not empty.
    package init(_ environment: [String: String]) {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first {
            !$0.isEmpty
        }
        guard let own = locale.flatMap(Self.code) else {
            codes = []
            return
        }
        let others = (environment["LANGUAGE"] ?? "").split(separator: ":").compactMap {
            Self.code(String($0))
        }
        codes = others + [own]
    }

    /// Converts the name of a locale, such as `pt_BR.UTF-8`, to the code of a language; nil for `C` and `POSIX`.
    private static func code(_ locale: String) -> String? {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        guard !name.isEmpty, name != "C", name != "POSIX" else { return nil }
        return name.replacingOccurrences(of: "_", with: "-").lowercased()
    }

    /// Returns the text in the best language.
    ///
    /// This is the first language that the person prefers, in any region. If there is no such text, it is English, or
    /// else the language whose code is first in alphabetical order.
    package func best(of texts: [String: String]) -> String? {
        let languages = texts.keys.sorted()
        for code in codes + ["en"] {
            let candidates = [code, String(code.prefix { $0 != "-" })]
            for candidate in candidates {
                if let found = languages.first(where: { Self.normal($0) == candidate }) {
                    return texts[found]
                }
            }
            if let found = languages.first(where: { Self.normal($0).hasPrefix(candidates[1] + "-") }) {
                return texts[found]
            }
        }
        return languages.first.flatMap { texts[$0] }
    }

    private static func normal(_ language: String) -> String {
        language.replacingOccurrences(of: "_", with: "-").lowercased()
    }
}
