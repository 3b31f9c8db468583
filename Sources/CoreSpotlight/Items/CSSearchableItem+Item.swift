package import BatonCore
import Foundation
import UniformTypeIdentifiers

extension CSSearchableItem {
    /// Creates the item that an index has.
    package convenience init(_ name: ItemName, _ item: Item) {
        self.init(
            uniqueIdentifier: name.identifier, domainIdentifier: item.domain,
            attributeSet: CSSearchableItemAttributeSet(item.attributes))
        expirationDate = item.expiration?.date
    }

    /// Returns what indexing this item changes in an index.
    ///
    /// An item without an expiration date expires a month after this moment. A picture that is too large is left out.
    package func change(of index: ClientStateName, at moment: Date) throws(CSIndexError) -> IndexChange {
        if let refusal = attributeSet.refused.values.min() { throw invalid(refusal) }
        let name = ItemName(app: index.app, index: index.index, identifier: uniqueIdentifier)
        guard name.key.name.count <= RecordKey.nameBytes else {
            throw invalid(
                "Its identifier, with the names of app and index, is longer than \(RecordKey.nameBytes) bytes."
            )
        }
        if let chosenExpirationDate, !chosenExpirationDate.timeIntervalSince1970.isFinite {
            throw invalid("Its expiration date is no date.")
        }
        let attributes = attributeSet.attributesForIndex
        for entry in attributes.entries {
            guard case .plain(let value) = entry.value else { continue }
            do throws(PropertyLimitError) {
                try Self.limits.check(value)
            } catch {
                throw invalid("The value of \(entry.name.attributeName) is too large. \(error)")
            }
        }
        return isUpdate ? try update(attributes) : try replacement(attributes, at: moment)
    }

    /// Returns the change that replaces the item, or adds it.
    private func replacement(
        _ attributes: AttributeSet, at moment: Date
    ) throws(CSIndexError) -> IndexChange {
        let expiration = chosenExpirationDate ?? moment.addingTimeInterval(Self.lifetime)
        let item = Item(
            domain: domainIdentifier, expiration: WallTime(expiration),
            attributes: try fitting(attributes) { Item(domain: domainIdentifier, attributes: $0).fields })
        return .item(uniqueIdentifier, item)
    }

    /// Returns the change that updates the item.
    private func update(_ attributes: AttributeSet) throws(CSIndexError) -> IndexChange {
        var update = Item.Update()
        update.domain = domainIdentifier
        update.expiration = chosenExpirationDate.map { WallTime($0) }
        update.removed = attributeSet.removed
        update.attributes = try fitting(attributes) { attributes in
            var update = update
            update.attributes = attributes
            return update.fields
        }
        return .update(uniqueIdentifier, domain: domainIdentifier, update.fields)
    }

    /// Returns the attributes, without the picture if they don't fit an item with it.
    private func fitting(
        _ attributes: AttributeSet, fields: (AttributeSet) -> Fields
    ) throws(CSIndexError) -> AttributeSet {
        var attributes = attributes
        if Self.fits(fields(attributes)) { return attributes }
        attributes[.thumbnailData] = nil
        let rest = fields(attributes)
        guard Self.fits(rest) else {
            throw invalid(
                """
                Its attributes have \(rest.count) values with \(rest.encodedCount) bytes; the limits are \
                \(Fields.countMost) values and \(Limits.writeBytes) bytes. Shorten textContent.
                """)
        }
        return attributes
    }

    /// Whether an item can have these fields, with room for the times that the node adds and for the domain.
    private static func fits(_ fields: Fields) -> Bool {
        fields.count <= Fields.countMost - reservedFields
            && fields.encodedCount <= Limits.writeBytes - Scope.bytesMost - reservedBytes
    }

    /// The room for the times of expiry and indexing.
    private static let reservedFields = 2
    private static let reservedBytes = 32
    /// The limits of one value.
    private static let limits = PropertyLimits(
        bytes: Limits.writeBytes, depth: Limits.nestingDepth - 1, values: PropertyLimits.valuesRead / 2)

    private func invalid(_ reason: String) -> CSIndexError {
        CSIndexError(.invalidItemError, "The item “\(uniqueIdentifier)” can't be indexed. \(reason)")
    }
}

extension CSSearchableItemAttributeSet {
    /// The largest picture that the index takes, in bytes; larger ones are left out.
    static let thumbnailBytes = 128 << 10

    /// The attributes for the index: without a picture that is too large, and with the tree of the content's type.
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
