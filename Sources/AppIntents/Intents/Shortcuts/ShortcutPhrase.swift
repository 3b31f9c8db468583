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
