/// A phrase of a shortcut, such as `"Order a \(\.$drink) in \(.applicationName)"`.
public struct AppShortcutPhrase<Intent: AppIntent>: ExpressibleByStringInterpolation {
    fileprivate enum Part {
        case words(String)
        case application
        case parameter(AnyKeyPath)
    }

    private let parts: [Part]

    private init(parts: [Part]) { self.parts = parts }

    /// Creates a phrase without placeholders.
    public init(stringLiteral value: String) { self.init(parts: [.words(value)]) }

    /// Creates a phrase without placeholders.
    public init(_ phrase: String) { self.init(parts: [.words(phrase)]) }

    /// Creates a phrase with placeholders.
    public init(stringInterpolation: StringInterpolation) { self.init(parts: stringInterpolation.parts) }

    /// Returns the phrase with the names of the intent's parameters.
    func phrase(of intent: Intent) -> ShortcutPhrase {
        ShortcutPhrase(
            parts: parts.map { part in
                switch part {
                case .words(let words): return .words(words)
                case .application: return .application
                case .parameter(let path):
                    let parameter = intent[keyPath: path] as? any AnyIntentParameter
                    return .parameter(
                        parameter.flatMap { IntentReflection.name(of: $0, in: intent) } ?? "")
                }
            })
    }

    /// Collects the parts of a phrase.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        /// Creates an empty phrase.
        public init(literalCapacity: Int, interpolationCount: Int) {}
        /// Appends words.
        public mutating func appendLiteral(_ literal: String) { parts.append(.words(literal)) }
        /// Appends a placeholder for the name of the app.
        public mutating func appendInterpolation(_ token: AppShortcutPhraseToken) {
            parts.append(.application)
        }
        /// Appends a placeholder for the value of a parameter.
        public mutating func appendInterpolation<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>)
        {
            parts.append(.parameter(parameter))
        }
    }
}
