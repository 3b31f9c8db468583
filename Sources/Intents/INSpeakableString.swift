public import Foundation

/// A thing that has a name which can be spoken.
public protocol INSpeakable: NSObjectProtocol {
    /// The name that is spoken.
    var spokenPhrase: String { get }
    /// A text that says how the name is pronounced.
    var pronunciationHint: String? { get }
    /// The identifier of the name in the app's vocabulary.
    var vocabularyIdentifier: String? { get }
    /// The same value as `vocabularyIdentifier`; this is an older name.
    var identifier: String? { get }
    /// Other things that the person may have meant.
    var alternativeSpeakableMatches: [any INSpeakable]? { get }
}

/// A text that can be spoken, such as the name of a group.
open class INSpeakableString: NSObject, INSpeakable, NSCopying, NSSecureCoding {
    /// The text that is spoken.
    public let spokenPhrase: String
    /// A text that says how the spoken text is pronounced.
    public let pronunciationHint: String?
    /// The identifier of the text in the app's vocabulary.
    public let vocabularyIdentifier: String?
    /// The same value as `vocabularyIdentifier`; this is an older name.
    open var identifier: String? { vocabularyIdentifier }
    /// Other texts that the person may have meant; always nil on Linux.
    open var alternativeSpeakableMatches: [any INSpeakable]? { nil }

    /// Creates a text that is in the app's vocabulary.
    public init(vocabularyIdentifier: String, spokenPhrase: String, pronunciationHint: String?) {
        (self.vocabularyIdentifier, self.spokenPhrase) = (vocabularyIdentifier, spokenPhrase)
        self.pronunciationHint = pronunciationHint
        super.init()
    }

    /// Creates a text that is in the app's vocabulary.
    public convenience init(identifier: String, spokenPhrase: String, pronunciationHint: String?) {
        self.init(
            vocabularyIdentifier: identifier, spokenPhrase: spokenPhrase, pronunciationHint: pronunciationHint
        )
    }

    /// Creates a text that is not in the app's vocabulary.
    public init(spokenPhrase: String) {
        (vocabularyIdentifier, self.spokenPhrase, pronunciationHint) = (nil, spokenPhrase, nil)
        super.init()
    }

    /// Returns the text itself, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares the texts, the pronunciations and the identifiers.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INSpeakableString else { return false }
        return spokenPhrase == other.spokenPhrase && pronunciationHint == other.pronunciationHint
            && vocabularyIdentifier == other.vocabularyIdentifier
    }

    /// A hash value, which is the same for equal texts.
    open override var hash: Int { spokenPhrase.hashValue }

    /// Whether texts can be decoded securely from an archive.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the text to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(text: vocabularyIdentifier, forKey: Key.identifier)
        coder.encode(text: spokenPhrase, forKey: Key.phrase)
        coder.encode(text: pronunciationHint, forKey: Key.hint)
    }

    /// Reads a text from an archive.
    public required init?(coder: NSCoder) {
        guard let phrase = coder.decodeText(forKey: Key.phrase) else { return nil }
        spokenPhrase = phrase
        vocabularyIdentifier = coder.decodeText(forKey: Key.identifier)
        pronunciationHint = coder.decodeText(forKey: Key.hint)
        super.init()
    }

    /// The keys of the values in an archive.
    private enum Key {
        static let identifier = "vocabularyIdentifier"
        static let phrase = "spokenPhrase"
        static let hint = "pronunciationHint"
    }
}
