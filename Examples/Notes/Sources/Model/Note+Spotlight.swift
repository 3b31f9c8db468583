import CoreSpotlight

extension Note {
    var attributes: CSSearchableItemAttributeSet {
        let attributes = CSSearchableItemAttributeSet(contentType: .markdown)
        attributes.title = title
        attributes.contentDescription = summary
        // Of a text that is too long, the beginning is indexed.
        attributes.textContent = text
        attributes.keywords = tags
        attributes.contentModificationDate = modified
        return attributes
    }

    var searchableItem: CSSearchableItem {
        let item = CSSearchableItem(
            uniqueIdentifier: name, domainIdentifier: domain, attributeSet: attributes)
        // Without a date, an item leaves the index after a month.
        item.expirationDate = expires
        return item
    }
}

extension UTType {
    static let markdown = UTType(filenameExtension: "md", conformingTo: .plainText) ?? .plainText
}
