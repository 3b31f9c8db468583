import BatonCore
public import Foundation
import Synchronization

/// A text in several languages, to be used wherever an attribute is a text.
///
/// A text attribute that is set to such a text with `as String` keeps all languages, so that searches find it in each
/// of them, also on machines with another language.
open class CSLocalizedString: NSString {
    /// The texts by the codes of their languages.
    private let texts: [String: String]
    /// The text for the person, in UTF-16.
    private let characters: [unichar]

    /// Creates a text from texts by the codes of their languages, such as `en` or `pt-BR`.
    ///
    /// Pairs of anything but strings are ignored.
    public init(localizedStrings: [AnyHashable: Any]) {
        let pairs = localizedStrings.compactMap { language, text -> (String, String)? in
            guard let language = language.base as? String, let text = text as? String else { return nil }
            return (language, text)
        }
        texts = Dictionary(pairs) { first, _ in first }
        characters = Array(Self.best(of: texts).utf16)
        super.init(characters: [], length: 0)
    }

    /// Returns the text in the language that the person prefers.
    ///
    /// That is the first language of `LANGUAGE`, `LC_ALL`, `LC_MESSAGES` or `LANG` for which there is a text, else
    /// English, else the language whose code comes first.
    open func localizedString() -> String { String(decoding: characters, as: UTF16.self) }

    private static func best(of texts: [String: String]) -> String {
        PreferredLanguages.person.best(of: texts) ?? ""
    }

    // MARK: Values of the index

    /// Creates a text from a value of the index; nil if the value is not a text in several languages.
    convenience init?(_ value: PropertyValue) {
        guard value.isText, let pairs = value.pairs else { return nil }
        let texts = pairs.compactMap { language, text in
            language.string.flatMap { language in text.string.map { (language, $0) } }
        }
        self.init(localizedStrings: Dictionary(texts) { first, _ in first })
    }

    /// The text as a value of the index.
    var value: PropertyValue {
        if texts.isEmpty { return .string(localizedString()) }
        return .dictionary(
            Dictionary(texts.map { (PropertyValue.string($0.key), .string($0.value)) }) { first, _ in first })
    }

    // MARK: Conversions to String
    //
    // Where Swift makes a `String` of this object, only the characters arrive. The thread therefore remembers which
    // object it converted last, and an attribute that is set to just this text takes the object's languages.

    /// Whether any object was ever converted, so that programs without such objects need not look for the last one.
    private static let isUsed = Atomic<Bool>(false)
    private static let key = "org.baton.CSLocalizedString.last"

    /// Returns the object that this thread converted last, if the text is the result of that conversion.
    static func last(as text: String) -> CSLocalizedString? {
        guard isUsed.load(ordering: .relaxed),
            let last = Thread.current.threadDictionary[key] as? Conversion,
            last.object.localizedString().utf8.elementsEqual(text.utf8)
        else { return nil }
        return last.object
    }

    /// Wraps an object for the dictionary of a thread, which would make a `String` of the object itself.
    private final class Conversion {
        let object: CSLocalizedString
        init(_ object: CSLocalizedString) { self.object = object }
    }

    private func remember() {
        Self.isUsed.store(true, ordering: .relaxed)
        Thread.current.threadDictionary[Self.key] = Conversion(self)
    }

    // MARK: NSString

    /// The number of UTF-16 characters.
    open override var length: Int {
        remember()
        return characters.count
    }

    /// Returns a UTF-16 character.
    open override func character(at index: Int) -> unichar { characters[index] }

    /// Returns the text itself, because it never changes.
    open override func copy(with zone: NSZone? = nil) -> Any { self }

    /// Writes the texts to an archive.
    open override func encode(with coder: NSCoder) {
        coder.encode(texts.mapValues { $0 as NSString } as NSDictionary, forKey: Self.archiveKey)
    }

    /// Reads the texts from an archive.
    public required init?(coder: NSCoder) {
        let kinds: [AnyClass] = [NSDictionary.self, NSString.self]
        guard let texts = coder.decodeObject(of: kinds, forKey: Self.archiveKey) as? [String: String] else {
            return nil
        }
        self.texts = texts
        characters = Array(Self.best(of: texts).utf16)
        super.init(characters: [], length: 0)
    }

    private static let archiveKey = "localizedStrings"

    /// Creates a text that is the same in every language.
    public required init(stringLiteral value: StaticString) {
        (texts, characters) = ([:], Array("\(value)".utf16))
        super.init(characters: [], length: 0)
    }

    /// Creates a text that is the same in every language.
    public required convenience init(extendedGraphemeClusterLiteral value: StaticString) {
        self.init(stringLiteral: value)
    }

    /// Creates a text that is the same in every language.
    public required convenience init(unicodeScalarLiteral value: StaticString) {
        self.init(stringLiteral: value)
    }

    /// Creates a text that is the same in every language.
    public required init(string: String) {
        (texts, characters) = ([:], Array(string.utf16))
        super.init(characters: [], length: 0)
    }
}
