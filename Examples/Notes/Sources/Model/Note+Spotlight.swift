import CoreSpotlight

extension Note {
    var attributes: CSSearchableItemAttributeSet {
        let attributes = CSSearchableItemAttributeSet(contentType: .markdown)
        attributes.title = title
        attributes.contentDescription = summary
        // An item has at most some 500 KB.
        attributes.textContent = String(text.prefix(100_000))
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
