/// The way in which a text is typed.
public struct StringInputOptions: Sendable {
    /// Whether the text may have several lines.
    public let multiline: Bool

    /// Creates options; those for a keyboard on the screen have no effect on Linux.
    public init(
        capitalizationType: CapitalizationType = .sentences, multiline: Bool = false,
        autocorrect: Bool = true,
        smartQuotes: Bool = true, smartDashes: Bool = true
    ) { self.multiline = multiline }

    /// The letters that become capitals.
    public enum CapitalizationType: Hashable, Sendable {
        /// None.
        case none
        /// The first of each word.
        case words
        /// The first of each sentence.
        case sentences
        /// All.
        case allCharacters
    }
}
