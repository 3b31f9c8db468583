import Foundation

// A detail that is nil is not encoded, because encoding nil takes as much space as a short text.

extension NSCoder {
    /// Encodes a text; nil encodes nothing.
    func encode(text: String?, forKey key: String) {
        if let text { encode(text as NSString, forKey: key) }
    }

    /// Decodes a text; nil if none was encoded.
    func decodeText(forKey key: String) -> String? {
        decodeDetail(of: NSString.self, forKey: key).map { $0 as String }
    }

    /// Encodes a list of texts; nil encodes nothing.
    func encode(texts: [String]?, forKey key: String) {
        encode(list: texts?.map { $0 as NSString }, forKey: key)
    }

    /// Decodes a list of texts; nil if none was encoded.
    func decodeTexts(forKey key: String) -> [String]? {
        decodeList(of: NSString.self, forKey: key)?.map { $0 as String }
    }

    /// Encodes a Boolean; nil encodes nothing.
    func encode(choice: Bool?, forKey key: String) {
        encode(detail: choice.map { NSNumber(value: $0) }, forKey: key)
    }

    /// Decodes a Boolean; nil if none was encoded.
    func decodeChoice(forKey key: String) -> Bool? { decodeDetail(of: NSNumber.self, forKey: key)?.boolValue }

    /// Encodes a case of an enumeration.
    func encode(kind: some RawRepresentable<Int>, forKey key: String) {
        encode(Int64(kind.rawValue), forKey: key)
    }

    /// Decodes a case of an enumeration; nil if none was encoded, or if the case is not known here.
    func decodeKind<Kind: RawRepresentable<Int>>(forKey key: String) -> Kind? {
        // On Linux, Foundation treats an archive as damaged if a missing value is decoded.
        guard containsValue(forKey: key) else { return nil }
        return Int(exactly: decodeInt64(forKey: key)).flatMap { Kind(rawValue: $0) }
    }

    /// Encodes an object; nil encodes nothing.
    func encode(detail: (any NSSecureCoding)?, forKey key: String) {
        if let detail { encode(detail, forKey: key) }
    }

    /// Decodes an object; nil if none was encoded.
    func decodeDetail<Detail: NSObject & NSCoding>(of type: Detail.Type, forKey key: String) -> Detail? {
        guard containsValue(forKey: key) else { return nil }
        return decodeObject(of: type, forKey: key)
    }

    /// Encodes a list of objects; nil encodes nothing.
    func encode(list: [NSObject]?, forKey key: String) {
        if let list { encode(NSArray(array: list), forKey: key) }
    }

    /// Decodes a list of objects; nil if none was encoded.
    func decodeList<Detail: NSObject & NSCoding>(of type: Detail.Type, forKey key: String) -> [Detail]? {
        guard containsValue(forKey: key) else { return nil }
        return decodeObject(of: [NSArray.self, type], forKey: key) as? [Detail]
    }

    /// Encodes a picture, unless archives leave out pictures; nil encodes nothing.
    func encode(picture: INImage?, forKey key: String) {
        if !Pictures.areLeftOut { encode(detail: picture, forKey: key) }
    }

    /// Decodes a picture; nil if none was encoded.
    func decodePicture(forKey key: String) -> INImage? { decodeDetail(of: INImage.self, forKey: key) }
}

/// Controls whether archives contain pictures.
enum Pictures {
    /// Whether the archives that this task is encoding leave out pictures.
    ///
    /// On Linux, other modules can't subclass Foundation's archiver, and its delegate can't refuse objects. So this
    /// setting can't be a property of the archiver.
    @TaskLocal static var areLeftOut = false
}
