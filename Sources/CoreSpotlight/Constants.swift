public import Foundation

// The first four constants have the same values as on Apple's systems, so that files and logs from both systems agree.
// Apple has not published the values of the other constants.

/// The type of the activity that an app gets when a person opens one of its items.
public let CSSearchableItemActionType = "com.apple.corespotlightitem"
/// The key for the identifier of the item, in `userInfo` of an activity of the type `CSSearchableItemActionType`.
public let CSSearchableItemActivityIdentifier = "kCSSearchableItemActivityIdentifier"
/// The type of the activity that an app gets when a person continues a search in the app.
public let CSQueryContinuationActionType = "com.apple.corespotlightquerycontinuation"
/// The key for the words of the search, in `userInfo` of an activity of the type `CSQueryContinuationActionType`.
public let CSSearchQueryString = "kCSSearchQueryString"
/// The key for the identifier of the chosen action, in `userInfo` of an activity of the type
/// `CSSearchableItemActionType`.
public let CSActionIdentifier = "kCSActionIdentifier"

/// The mailbox for received messages, a value for `mailboxIdentifiers`.
public let CSMailboxInbox = "CSMailboxInbox"
/// The mailbox for messages that are not finished.
public let CSMailboxDrafts = "CSMailboxDrafts"
/// The mailbox for sent messages.
public let CSMailboxSent = "CSMailboxSent"
/// The mailbox for junk.
public let CSMailboxJunk = "CSMailboxJunk"
/// The mailbox for deleted messages.
public let CSMailboxTrash = "CSMailboxTrash"
/// The mailbox for archived messages.
public let CSMailboxArchive = "CSMailboxArchive"

/// The version of Core Spotlight's API that this module provides.
public let CoreSpotlightAPIVersion: Int32 = 40
/// The version of this module, which is the same as the version of its API.
public let CoreSpotlightVersionNumber: Double = 40

extension NSAttributedString.Key {
    /// The attribute of the part of a suggestion that the person has typed.
    public static let suggestionHighlight = NSAttributedString.Key("CSSuggestionHighlightAttributeName")
}
