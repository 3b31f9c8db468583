import BatonCore
public import Foundation

// Attributes of messages.

extension CSSearchableItemAttributeSet {
    /// The identifier of the account that the message belongs to.
    public var accountIdentifier: String? {
        get { self[.accountIdentifier] }
        set { self[.accountIdentifier] = newValue }
    }

    /// The addresses by which others can reach the account, such as email addresses.
    public var accountHandles: [String]? {
        get { self[.accountHandles] }
        set { self[.accountHandles] = newValue }
    }

    /// The mailboxes that contain the message: constants such as `CSMailboxInbox`, or names that the app chooses.
    public var mailboxIdentifiers: [String]? {
        get { self[.mailboxIdentifiers] }
        set { self[.mailboxIdentifiers] = newValue }
    }

    /// The full text of the item, which searches look into.
    public var textContent: String? {
        get { self[.textContent] }
        set { self[.textContent] = newValue }
    }

    /// The full text of the item, as HTML in UTF-8.
    public var htmlContentData: Data? {
        get { self[.htmlContentData] }
        set { self[.htmlContentData] = newValue }
    }

    /// The people who wrote the message.
    public var authors: [CSPerson]? {
        get { self[.authors] }
        set { self[.authors] = newValue }
    }

    /// The people to whom the message is addressed.
    public var primaryRecipients: [CSPerson]? {
        get { self[.primaryRecipients] }
        set { self[.primaryRecipients] = newValue }
    }

    /// The people who get a copy of the message.
    public var additionalRecipients: [CSPerson]? {
        get { self[.additionalRecipients] }
        set { self[.additionalRecipients] = newValue }
    }

    /// The people who get a copy of the message, hidden from the other recipients.
    public var hiddenAdditionalRecipients: [CSPerson]? {
        get { self[.hiddenAdditionalRecipients] }
        set { self[.hiddenAdditionalRecipients] = newValue }
    }

    /// The names of the people who wrote the item.
    public var authorNames: [String]? {
        get { self[.authorNames] }
        set { self[.authorNames] = newValue }
    }

    /// The email addresses of the people who wrote the item.
    public var authorEmailAddresses: [String]? {
        get { self[.authorEmailAddresses] }
        set { self[.authorEmailAddresses] = newValue }
    }

    /// Other addresses of the people who wrote the item.
    public var authorAddresses: [String]? {
        get { self[.authorAddresses] }
        set { self[.authorAddresses] = newValue }
    }

    /// The names of the people who get the item.
    public var recipientNames: [String]? {
        get { self[.recipientNames] }
        set { self[.recipientNames] = newValue }
    }

    /// The email addresses of the people who get the item.
    public var recipientEmailAddresses: [String]? {
        get { self[.recipientEmailAddresses] }
        set { self[.recipientEmailAddresses] = newValue }
    }

    /// Other addresses of the people who get the item.
    public var recipientAddresses: [String]? {
        get { self[.recipientAddresses] }
        set { self[.recipientAddresses] = newValue }
    }

    /// The telephone numbers that belong to the item.
    public var phoneNumbers: [String]? {
        get { self[.phoneNumbers] }
        set { self[.phoneNumbers] = newValue }
    }

    /// The email addresses that belong to the item.
    public var emailAddresses: [String]? {
        get { self[.emailAddresses] }
        set { self[.emailAddresses] = newValue }
    }

    /// The addresses for instant messages that belong to the item.
    public var instantMessageAddresses: [String]? {
        get { self[.instantMessageAddresses] }
        set { self[.instantMessageAddresses] = newValue }
    }

    /// The headers of an email: for each name of a header, a list of values.
    public var emailHeaders: [String: [Any]]? {
        get { self[.emailHeaders] }
        set { self[.emailHeaders] = newValue }
    }

    /// Whether the message is probably junk: 0 or 1; the default is 0.
    public var likelyJunk: NSNumber {
        get { self[.likelyJunk] ?? 0 }
        set { self[.likelyJunk] = newValue }
    }
}
