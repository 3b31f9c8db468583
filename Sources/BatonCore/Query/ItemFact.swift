/// A value of an item, by which a query can find the item without comparing all items.
///
/// It is a number, a date, or the beginning of a text.
///
/// A store keeps the facts of all items in sorted order. Facts only narrow a search: an item whose facts are in the
/// range may still not match the query.
package struct ItemFact: Hashable, Sendable {
    /// The attribute and the type of the value.
    package let subject: Subject
    package let value: Value

    package enum Value: Hashable, Sendable {
        /// A number that is rounded to a real, or a date as a number of whole seconds since 1970 (`second(_:)`).
        case real(Double)
        /// The beginning of a text, folded in the same way as for a search by words.
        case text([UInt8])
    }

    /// An attribute and a type of value, combined into one number.
    package struct Subject: Hashable, Sendable {
        package let number: Int64

        /// Creates the subject for a condition about an attribute; nil if no facts are stored for the attribute.
        init?(_ subject: SearchQuery.Subject, _ type: FactType) {
            switch subject {
            case .attribute(let attribute): self.init(.number(attribute.number), type)
            case .custom(let custom): self.init(custom.field, type)
            case .anyText: return nil
            }
        }

        /// Creates the subject for the values of a field; nil if no facts are stored for the field.
        init?(_ name: FieldName, _ type: FactType) {
            switch name {
            case .number(let number):
                guard let attribute = Attribute(number: number), Self.attributes.contains(attribute) else {
                    return nil
                }
                self.number = Int64(number) << 2 | type.rawValue
            case .custom(let bytes):
                // If two names have the same hash, the store finds more items than necessary. The query then rejects
                // these items.
                var hash: UInt64 = 0xcbf2_9ce4_8422_2325
                for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
                self.number = 1 << 61 | Int64(hash >> 4) & ~3 | type.rawValue
            case .part: return nil
            }
        }

        private init() { number = 0 }

        /// The type of the values.
        var type: FactType? { FactType(rawValue: number & 3) }

        /// The subject for items that have too many facts to store.
        ///
        /// Such items may meet any condition.
        package static let others = Self()

        /// The attributes for which facts are stored.
        ///
        /// Apps compare them in queries: what a thing is, where it belongs and what made it, when it was made, changed,
        /// used and is due, and how large it is. For other texts, queries use the full-text index.
        private static let attributes: Set<Attribute> = [
            .contentType, .contentTypeTree, .identifier, .relatedUniqueIdentifier, .containerIdentifier,
            .accountIdentifier, .creator, .contentCreationDate, .contentModificationDate,
            .metadataModificationDate, .lastUsedDate, .addedDate, .downloadedDate, .recordingDate, .timestamp,
            .dueDate, .completionDate,
            .startDate, .endDate, .importantDates, .containerOrder, .rankingHint, .rating, .duration,
            .fileSize,
            .pageCount, .pixelWidth, .pixelHeight, .userCreated, .userOwned, .userCurated, .likelyJunk,
        ]
    }

    /// The largest number of facts of one item.
    ///
    /// The limit keeps any item from taking much space.
    package static let most = 24
    /// The maximum length in bytes of the stored beginning of a text.
    static let textBytes = 32

    /// The version of the rules for making facts.
    ///
    /// Facts that were made with another version must be rebuilt.
    package static let version = 3

    /// The only fact of an item that has too many facts to store.
    static let other = ItemFact(subject: .others, value: .real(0))

    private init(subject: Subject, value: Value) { (self.subject, self.value) = (subject, value) }

    /// Creates the fact for a single value; nil if no facts are stored for such a value or such a field.
    init?(_ value: PropertyValue, of name: FieldName) {
        if case .date(let seconds) = value {
            guard !seconds.isNaN, let subject = Subject(name, .date) else { return nil }
            self.init(subject: subject, value: .real(Self.second(seconds)))
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

    /// Returns the number of whole seconds between 1970 and a date.
    ///
    /// A later date never has a smaller number.
    ///
    /// Whole seconds take half the space of exact dates, and few items share one. So items can be read in the order of
    /// a date without reading many more than are wanted.
    static func second(_ seconds: Double) -> Double { seconds.rounded(.down) }

    /// Returns the first bytes of a folded text, without cutting a scalar.
    static func beginning(ofFolded bytes: [UInt8], bytes most: Int = textBytes) -> [UInt8] {
        guard bytes.count > most else { return bytes }
        var end = most
        while end > 0, bytes[end] & 0xc0 == 0x80 { end -= 1 }
        return Array(bytes[..<end])
    }

    /// Folds a text and returns its first bytes, without cutting a scalar.
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
            // The last letters of a part may fold differently in the whole text. So more letters than needed are
            // folded.
            if part.count < count || bytes.count > most + 32 { break }
            count *= 4
        }
        return beginning(ofFolded: bytes, bytes: most)
    }
}

/// The type of a value that is stored as a fact.
enum FactType: Int64, CaseIterable { case number, date, text }

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
