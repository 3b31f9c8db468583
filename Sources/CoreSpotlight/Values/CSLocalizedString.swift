import BatonCore
public import Foundation
import Synchronization

/// A text in several languages, which can be used wherever an attribute is a text.
///
/// If an attribute is set to such a text with `as String`, it keeps the texts of all languages. So searches find the
/// text in each language, even on a machine with another language.
open class CSLocalizedString: NSString {
    /// The texts, keyed by the codes of their languages.
    private let texts: [String: String]
    /// The text in the person's language, as UTF-16 code units.
    private let characters: [unichar]

    /// Creates a text from a dictionary whose keys are codes of languages, such as `en` or `pt-BR`, and whose values
    /// are texts.
    ///
    /// Keys and values that are not strings are ignored.
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
    /// The preferred languages come from `LANGUAGE`, and from the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is
    /// set. The text in the first of these languages is returned. If there is none, the text in English is returned, or
    /// else the text in the language whose code is first in alphabetical order.
    open func localizedString() -> String { String(decoding: characters, as: UTF16.self) }

    private static func best(of texts: [String: String]) -> String {
        PreferredLanguages.person.best(of: texts) ?? ""
    }

    // MARK: Values of the index

    /// Creates a text from a value in the index; nil if the value is not a text in several languages.
    convenience init?(_ value: PropertyValue) {
        guard value.isText, let pairs = value.pairs else { return nil }
        let texts = pairs.compactMap { language, text in
            language.string.flatMap { language in text.string.map { (language, $0) } }
        }
        self.init(localizedStrings: Dictionary(texts) { first, _ in first })
    }

    /// The text in the form in which the index stores it.
    var value: PropertyValue {
        if texts.isEmpty { return .string(localizedString()) }
        return .dictionary(
            Dictionary(texts.map { (PropertyValue.string($0.key), .string($0.value)) }) { first, _ in first })
    }

    // MARK: Conversions to String
    //
    // When Swift converts this object to a `String`, only the characters remain. So each thread remembers the object
    // that it converted last. If an attribute is then set to the same characters, it gets the languages of that object.

    /// Whether any object was ever converted; in programs without such objects, this saves looking for the last one.
    private static let isUsed = Atomic<Bool>(false)
    private static let key = "org.baton.CSLocalizedString.last"

    /// Returns the object that this thread converted last, if the text is equal to the result of that conversion.
    static func last(as text: String) -> CSLocalizedString? {
        guard isUsed.load(ordering: .relaxed),
            let last = Thread.current.threadDictionary[key] as? Conversion,
            last.object.localizedString().utf8.elementsEqual(text.utf8)
        else { return nil }
        return last.object
    }

    /// A wrapper that keeps the dictionary of a thread from converting the object to a `String`.
    private final class Conversion {
        let object: CSLocalizedString
        init(_ object: CSLocalizedString) { self.object = object }
    }

    private func remember() {
        Self.isUsed.store(true, ordering: .relaxed)
        Thread.current.threadDictionary[Self.key] = Conversion(self)
    }

    // MARK: NSString

    /// The number of UTF-16 code units.
    open override var length: Int {
        remember()
        return characters.count
    }

    /// Returns the UTF-16 code unit at an index.
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

    /// Creates a text that is the same in all languages.
    public required init(stringLiteral value: StaticString) {
        (texts, characters) = ([:], Array("\(value)".utf16))
        super.init(characters: [], length: 0)
    }

    /// Creates a text that is the same in all languages.
    public required convenience init(extendedGraphemeClusterLiteral value: StaticString) {
        self.init(stringLiteral: value)
    }

    /// Creates a text that is the same in all languages.
    public required convenience init(unicodeScalarLiteral value: StaticString) {
        self.init(stringLiteral: value)
    }

    /// Creates a text that is the same in all languages.
    public required init(string: String) {
        (texts, characters) = ([:], Array(string.utf16))
        super.init(characters: [], length: 0)
    }
}
