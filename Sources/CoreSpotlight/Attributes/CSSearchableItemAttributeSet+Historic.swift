// Names that Apple's libraries never had, or no longer have, but that texts about these libraries still use.

/// A name that older texts use for `CSSearchableItemAttributeSet`.
@available(*, deprecated, renamed: "CSSearchableItemAttributeSet")
public typealias CSSearchableItemAttributes = CSSearchableItemAttributeSet

extension CSSearchableItemAttributeSet {
    /// The first author in `authorNames`; setting it replaces all authors.
    @available(*, deprecated, message: "Use authorNames, or authors.")
    public var author: String? {
        get { authorNames?.first }
        set { authorNames = newValue.map { [$0] } }
    }

    /// The same as `recipientNames`.
    @available(*, deprecated, message: "Use recipientNames, recipientEmailAddresses or primaryRecipients.")
    public var recipients: [String]? {
        get { recipientNames }
        set { recipientNames = newValue }
    }
}
