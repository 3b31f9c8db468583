// Names that texts about Apple's libraries still use, although the libraries never had them or no longer have them.

/// An older name of `CSSearchableItemAttributeSet` in texts.
@available(*, deprecated, renamed: "CSSearchableItemAttributeSet")
public typealias CSSearchableItemAttributes = CSSearchableItemAttributeSet

extension CSSearchableItemAttributeSet {
    /// The first of `authorNames`.
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
