import CoreSpotlight

extension Note {
    var attributes: CSSearchableItemAttributeSet {
        let attributes = CSSearchableItemAttributeSet(contentType: .markdown)
        attributes.title = title
        attributes.contentDescription = summary
        // A text that is too long for an item is cut.
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
