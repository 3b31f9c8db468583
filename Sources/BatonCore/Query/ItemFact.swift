/// A value of an item by which a query can find it without comparing every item: a number, a date, or the beginning of
/// a short text.
///
/// A store keeps the facts of items in order. Facts only narrow a query: an item whose facts fit may still not match.
package struct ItemFact: Hashable, Sendable {
    /// The attribute and the type of the value.
    package let subject: Subject
    package let value: Value

    package enum Value: Hashable, Sendable {
        /// A number, rounded to a real, or a date in periods since 1970 (`period(_:)`).
        case real(Double)
        /// The beginning of a text, folded as in a search by words.
        case text([UInt8])
    }

    /// An attribute and a type, as one number.
    package struct Subject: Hashable, Sendable {
        package let number: Int64

        /// The subject of a condition about an attribute; nil if no facts are stored for it.
        init?(_ subject: SearchQuery.Subject, _ type: FactType) {
            switch subject {
            case .attribute(let attribute): self.init(.number(attribute.number), type)
            case .custom(let custom): self.init(custom.field, type)
            case .anyText: return nil
            }
        }

        /// The subject of a field's values; nil if no facts are stored for it.
        init?(_ name: FieldName, _ type: FactType) {
            switch name {
            case .number(let number):
                guard let attribute = Attribute(number: number), Self.attributes.contains(attribute) else {
                    return nil
                }
                self.number = Int64(number) << 2 | type.rawValue
            case .custom(let bytes):
                // A collision of hashes only lets more items through, and the query rejects these.
                var hash: UInt64 = 0xcbf2_9ce4_8422_2325
                for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
                self.number = 1 << 61 | Int64(hash >> 4) & ~3 | type.rawValue
            case .part: return nil
            }
        }

        private init() { number = 0 }

        /// Stands for items with more facts than are stored, which may meet any condition.
        package static let others = Self()

        /// The attributes that apps compare in queries, besides those with words: what a thing is and where it belongs,
        /// when it was made, changed, used and is due, and how large it is.
        private static let attributes: Set<Attribute> = [
            .contentType, .contentTypeTree, .identifier, .relatedUniqueIdentifier, .containerIdentifier,
            .accountIdentifier, .contentCreationDate, .contentModificationDate, .metadataModificationDate,
            .lastUsedDate, .addedDate, .downloadedDate, .recordingDate, .timestamp, .dueDate, .completionDate,
            .startDate, .endDate, .importantDates, .containerOrder, .rankingHint, .rating, .duration,
            .fileSize,
            .pageCount, .pixelWidth, .pixelHeight, .userCreated, .userOwned, .userCurated, .likelyJunk,
        ]
    }

    /// The most facts of one item, so that no item takes much space.
    package static let most = 24
    /// The most bytes of the beginning of a text.
    static let textBytes = 32

    /// The version of the rules by which facts are made: facts of another version have to be rebuilt.
    package static let version = 2

    /// The only fact of an item with more facts than are stored.
    static let other = ItemFact(subject: .others, value: .real(0))

    private init(subject: Subject, value: Value) { (self.subject, self.value) = (subject, value) }

    /// Creates the fact of a single value; nil if no fact is stored for such a value or field.
    init?(_ value: PropertyValue, of name: FieldName) {
        if case .date(let seconds) = value {
            guard !seconds.isNaN, let subject = Subject(name, .date) else { return nil }
            self.init(subject: subject, value: .real(Self.period(seconds)))
        } else if let number = QueryNumber(value) {
            guard !number.real.isNaN, let subject = Subject(name, .number) else { return nil }
            self.init(subject: subject, value: .real(number.real))
        } else if let text = value.comparedText {
            guard let subject = Subject(name, .text) else { return nil }
            self.init(subject: subject, value: .text(Self.beginning(of: text)))
        } else {
            return nil
        }
    }

    /// Returns the number of whole periods of about 18 hours from 1970 to a date; a later date never has a smaller
    /// number.
    ///
    /// Periods narrow a query almost as much as seconds. They take less space, and items that are indexed together have
    /// equal or adjacent facts, so that a store changes few pages.
    static func period(_ seconds: Double) -> Double { (seconds / 65_536).rounded(.down) }

    /// Returns the first bytes of a folded text, without cutting a scalar.
    static func beginning(of text: String, bytes most: Int = textBytes) -> [UInt8] {
        var (bytes, count) = ([UInt8](), most * 2)
        while true {
            bytes.removeAll(keepingCapacity: true)
            if text.utf8.count <= count {
                Folding.search.fold(text, into: &bytes)
                break
            }
            var part = String.UnicodeScalarView()
            part.append(contentsOf: text.unicodeScalars.prefix(count))
            Folding.search.fold(String(part), into: &bytes)
            // The last letters of a part may fold differently in the whole text, so more than needed is folded.
            if part.count < count || bytes.count > most + 32 { break }
            count *= 4
        }
        guard bytes.count > most else { return bytes }
        var end = most
        while end > 0, bytes[end] & 0xc0 == 0x80 { end -= 1 }
        return Array(bytes[..<end])
    }
}

/// The type of a value that is stored as a fact.
enum FactType: Int64 { case number, date, text }

extension ItemFact.Value: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.real(let left), .real(let right)): left < right
        case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
        case (.real, .text): true
        case (.text, .real): false
        }
    }
}
