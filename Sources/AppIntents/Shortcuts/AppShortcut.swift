public import LocalizedStrings

/// An intent that people run by a phrase.
public struct AppShortcut: Sendable {
    /// The intent.
    package let intent: any AppIntent
    /// The phrases.
    package let phrases: [ShortcutPhrase]
    /// A short name.
    package let shortTitle: LocalizedStringResource?
    /// The name of a symbol.
    package let systemImageName: String?

    /// Creates a shortcut.
    public init<Intent: AppIntent>(
        intent: Intent, phrases: [AppShortcutPhrase<Intent>], shortTitle: LocalizedStringResource,
        systemImageName: String
    ) { self.init(intent, phrases, shortTitle, systemImageName) }

    /// Creates a shortcut without a name of its own.
    public init<Intent: AppIntent>(intent: Intent, phrases: [AppShortcutPhrase<Intent>]) {
        self.init(intent, phrases, nil, nil)
    }

    private init<Intent: AppIntent>(
        _ intent: Intent, _ phrases: [AppShortcutPhrase<Intent>], _ title: LocalizedStringResource?,
        _ image: String?
    ) {
        (self.intent, shortTitle, systemImageName) = (intent, title, image)
        self.phrases = phrases.map { $0.phrase(of: intent) }
    }
}

/// A phrase of a shortcut, such as `"Order a \(\.$drink) in \(.applicationName)"`.
public struct AppShortcutPhrase<Intent: AppIntent>: ExpressibleByStringInterpolation {
    fileprivate enum Part {
        case words(String)
        case application
        case parameter(AnyKeyPath)
    }

    private let parts: [Part]

    private init(parts: [Part]) { self.parts = parts }

    /// Creates a phrase without places.
    public init(stringLiteral value: String) { self.init(parts: [.words(value)]) }

    /// Creates a phrase without places.
    public init(_ phrase: String) { self.init(parts: [.words(phrase)]) }

    /// Creates a phrase with places.
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
        /// Appends a place for the name of the app.
        public mutating func appendInterpolation(_ token: AppShortcutPhraseToken) { parts.append(.application) }
        /// Appends a place for the value of a parameter.
        public mutating func appendInterpolation<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>) {
            parts.append(.parameter(parameter))
        }
    }
}

/// A place in a phrase that is no parameter.
public enum AppShortcutPhraseToken: Sendable {
    /// The name of the app.
    case applicationName
}

/// A phrase without the type of its intent.
package struct ShortcutPhrase: Hashable, Sendable {
    package enum Part: Hashable, Sendable {
        case words(String)
        case application
        case parameter(String)
    }

    /// The parts, in order.
    package let parts: [Part]
}
