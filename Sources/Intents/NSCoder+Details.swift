import Foundation

// A detail that is nil is not written, because it would take the space of a short text.

extension NSCoder {
    /// Writes a text, if there is one.
    func encode(text: String?, forKey key: String) {
        if let text { encode(text as NSString, forKey: key) }
    }

    /// Reads a text; nil if there is none.
    func decodeText(forKey key: String) -> String? {
        decodeDetail(of: NSString.self, forKey: key).map { $0 as String }
    }

    /// Writes texts, if there is a list of them.
    func encode(texts: [String]?, forKey key: String) {
        encode(list: texts?.map { $0 as NSString }, forKey: key)
    }

    /// Reads texts; nil if there is no list of them.
    func decodeTexts(forKey key: String) -> [String]? {
        decodeList(of: NSString.self, forKey: key)?.map { $0 as String }
    }

    /// Writes a choice of yes or no, if it was made.
    func encode(choice: Bool?, forKey key: String) {
        encode(detail: choice.map { NSNumber(value: $0) }, forKey: key)
    }

    /// Reads a choice of yes or no; nil if it was not made.
    func decodeChoice(forKey key: String) -> Bool? { decodeDetail(of: NSNumber.self, forKey: key)?.boolValue }

    /// Writes one of the cases that a detail can have.
    func encode(kind: some RawRepresentable<Int>, forKey key: String) {
        encode(Int64(kind.rawValue), forKey: key)
    }

    /// Reads one of the cases that a detail can have; nil for a case that is not known here.
    func decodeKind<Kind: RawRepresentable<Int>>(forKey key: String) -> Kind? {
        // On Linux, Foundation would take the archive for damaged if a missing value were read.
        guard containsValue(forKey: key) else { return nil }
        return Int(exactly: decodeInt64(forKey: key)).flatMap { Kind(rawValue: $0) }
    }

    /// Writes an object, if there is one.
    func encode(detail: (any NSSecureCoding)?, forKey key: String) {
        if let detail { encode(detail, forKey: key) }
    }

    /// Reads an object; nil if there is none.
    func decodeDetail<Detail: NSObject & NSCoding>(of type: Detail.Type, forKey key: String) -> Detail? {
        guard containsValue(forKey: key) else { return nil }
        return decodeObject(of: type, forKey: key)
    }

    /// Writes objects, if there is a list of them.
    func encode(list: [NSObject]?, forKey key: String) {
        if let list { encode(NSArray(array: list), forKey: key) }
    }

    /// Reads objects; nil if there is no list of them.
    func decodeList<Detail: NSObject & NSCoding>(of type: Detail.Type, forKey key: String) -> [Detail]? {
        guard containsValue(forKey: key) else { return nil }
        return decodeObject(of: [NSArray.self, type], forKey: key) as? [Detail]
    }

    /// Writes a picture, if there is one and the archive is to have it.
    func encode(picture: INImage?, forKey key: String) {
        if !Pictures.areLeftOut { encode(detail: picture, forKey: key) }
    }

    /// Reads a picture; nil if there is none.
    func decodePicture(forKey key: String) -> INImage? { decodeDetail(of: INImage.self, forKey: key) }
}

/// Says whether archives contain pictures.
enum Pictures {
    /// Whether archives that are being written leave out pictures.
    ///
    /// It is not a property of the archiver: on Linux, Foundation's archiver can't be subclassed in other modules, and
    /// can't leave out objects that a delegate refuses.
    @TaskLocal static var areLeftOut = false
}
