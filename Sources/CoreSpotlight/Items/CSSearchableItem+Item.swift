package import BatonCore
import Foundation
import UniformTypeIdentifiers

extension CSSearchableItem {
    /// Creates an object for an item that is stored in an index.
    package convenience init(_ name: ItemName, _ item: Item) {
        self.init(
            uniqueIdentifier: name.identifier, domainIdentifier: item.domain,
            attributeSet: CSSearchableItemAttributeSet(item.attributes))
        expirationDate = item.expiration?.date
    }

    /// Returns the change of an index that indexing this item makes.
    ///
    /// If the item has no expiration date, it expires a month after `moment`. If the picture is too large, it is left
    /// out. If a text is too long, it is cut, and the closure is called with the attribute. If anything else is too
    /// large, the method throws an error that names the item.
    package func change(
        of index: ClientStateName, at moment: Date, noteCut: (Attribute) -> Void = { _ in }
    ) throws(CSIndexError) -> IndexChange {
        if let refusal = attributeSet.refused.values.min() { throw invalid(refusal) }
        let name = ItemName(app: index.app, index: index.index, identifier: uniqueIdentifier)
        guard name.key.name.count <= RecordKey.nameBytes else {
            throw invalid(
                "Its identifier, with the names of app and index, is longer than \(RecordKey.nameBytes) bytes."
            )
        }
        if let chosenExpirationDate, !chosenExpirationDate.timeIntervalSince1970.isFinite {
            throw invalid("Its expiration date is not a valid date.")
        }
        var attributes = attributeSet.attributesForIndex
        for text in Self.texts where attributes.cut(text, to: Self.bytesMost) { noteCut(text) }
        for entry in attributes.entries {
            guard case .plain(let value) = entry.value else { continue }
            do throws(PropertyLimitError) {
                try Self.limits.check(value)
            } catch {
                throw invalid("The value of \(entry.name.attributeName) is too large. \(error)")
            }
        }
        return isUpdate
            ? try update(attributes, noteCut: noteCut)
            : try replacement(attributes, at: moment, noteCut: noteCut)
    }

    /// Returns the change that adds the item, or replaces an item with the same identifier.
    private func replacement(
        _ attributes: AttributeSet, at moment: Date, noteCut: (Attribute) -> Void
    ) throws(CSIndexError) -> IndexChange {
        let expiration = chosenExpirationDate ?? moment.addingTimeInterval(Self.lifetime)
        let item = Item(
            domain: domainIdentifier, expiration: WallTime(expiration),
            attributes: try fitting(attributes, noteCut: noteCut) {
                Item(domain: domainIdentifier, attributes: $0).fields
            })
        return .item(uniqueIdentifier, item)
    }

    /// Returns the change that updates an existing item.
    private func update(
        _ attributes: AttributeSet, noteCut: (Attribute) -> Void
    ) throws(CSIndexError) -> IndexChange {
        var update = Item.Update()
        update.domain = domainIdentifier
        update.expiration = chosenExpirationDate.map { WallTime($0) }
        update.removed = attributeSet.removed
        update.attributes = try fitting(attributes, noteCut: noteCut) { attributes in
            var update = update
            update.attributes = attributes
            return update.fields
        }
        return .update(uniqueIdentifier, domain: domainIdentifier, update.fields)
    }

    /// Returns attributes that fit an item: if they are too large, without the picture, and with shorter texts.
    private func fitting(
        _ attributes: AttributeSet, noteCut: (Attribute) -> Void, fields: (AttributeSet) -> Fields
    ) throws(CSIndexError) -> AttributeSet {
        var (attributes, whole) = (attributes, fields(attributes))
        if Self.fits(whole) { return attributes }
        attributes[.thumbnailData] = nil
        for text in Self.texts {
            whole = fields(attributes)
            if Self.fits(whole) { return attributes }
            let excess = whole.encodedCount - Self.bytesMost
            guard excess > 0, let size = attributes.size(text) else { continue }
            if attributes.cut(text, to: max(size - excess, 0)) { noteCut(text) }
        }
        whole = fields(attributes)
        guard Self.fits(whole) else {
            throw invalid(
                """
                Its attributes have \(whole.count) values with \(whole.encodedCount) bytes, not counting its texts; the limits \
                are \(Fields.countMost) values and \(Limits.writeBytes) bytes.
                """)
        }
        return attributes
    }

    /// The texts that are cut if an item is too large, in this order; they are mostly used only for searching.
    private static let texts: [Attribute] = [
        .htmlContentData, .textContent, .transcribedTextContent, .contentDescription,
    ]

    /// Whether an item can have these fields; this leaves room for the domain, and for times that are added later.
    private static func fits(_ fields: Fields) -> Bool {
        fields.count <= Fields.countMost - reservedFields && fields.encodedCount <= bytesMost
    }

    /// The largest number of bytes that the fields may have.
    private static let bytesMost = Limits.writeBytes - Scope.bytesMost - reservedBytes

    /// The room that is reserved for the times of expiry and of indexing.
    private static let reservedFields = 2
    private static let reservedBytes = 32
    /// The limits for a single value.
    private static let limits = PropertyLimits(
        bytes: Limits.writeBytes, depth: Limits.nestingDepth - 1, values: PropertyLimits.valuesRead / 2)

    private func invalid(_ reason: String) -> CSIndexError {
        CSIndexError(.invalidItemError, "The item “\(uniqueIdentifier)” can't be indexed. \(reason)")
    }
}

extension AttributeSet {
    /// The size of an attribute in bytes, if its value is a text, or data with a text; otherwise, nil.
    fileprivate func size(_ text: Attribute) -> Int? {
        switch value(text) {
        case .string(let text)?: text.utf8.count
        case .data(let bytes)?: bytes.count
        default: nil
        }
    }

    /// Cuts a text to at most `most` bytes; returns whether the text was longer.
    fileprivate mutating func cut(_ text: Attribute, to most: Int) -> Bool {
        guard let size = size(text), size > most else { return false }
        switch value(text) {
        case .string(let string)?:
            // This finds the start of a scalar, which has at most four bytes.
            let bytes = string.utf8
            var end = bytes.index(bytes.startIndex, offsetBy: most)
            while end > bytes.startIndex, bytes[end] & 0xc0 == 0x80 { end = bytes.index(before: end) }
            self[text] = most == 0 ? nil : .plain(.string(String(string[..<end])))
        case .data(let bytes)?:
            var end = most
            while end > 0, bytes[end] & 0xc0 == 0x80 { end -= 1 }
            self[text] = end == 0 ? nil : .plain(.data(Array(bytes[..<end])))
        default: break
        }
        return true
    }
}

extension CSSearchableItemAttributeSet {
    /// The size of the largest picture that the index accepts, in bytes; larger pictures are left out.
    static let thumbnailBytes = 128 << 10

    /// The attributes to store in the index.
    ///
    /// A picture that is too large is left out. The tree of the content type is added if the app has not set it.
    var attributesForIndex: AttributeSet {
        var attributes = attributes
        if case .data(let picture) = attributes.value(.thumbnailData), picture.count > Self.thumbnailBytes {
            attributes[.thumbnailData] = nil
        }
        if attributes[.contentTypeTree] == nil, !removed.contains(.number(Attribute.contentTypeTree.number)),
            let contentType, let type = UTType(contentType), type.isDeclared
        {
            let tree = [type.identifier] + type.supertypes.map(\.identifier).sorted()
            attributes[.contentTypeTree] = .plain(.array(tree.map { .string($0) }))
        }
        return attributes
    }
}
