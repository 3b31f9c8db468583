public import Foundation

// The first four constants have the values of Apple's systems, so that activities mean the same in files and logs.
// Apple has not published the values of the other constants.

/// The type of the activity that an app gets when a person opens one of its items.
public let CSSearchableItemActionType = "com.apple.corespotlightitem"
/// The key of the item's identifier in `userInfo` of an activity of `CSSearchableItemActionType`.
public let CSSearchableItemActivityIdentifier = "kCSSearchableItemActivityIdentifier"
/// The type of the activity that an app gets when a person continues a search in the app.
public let CSQueryContinuationActionType = "com.apple.corespotlightquerycontinuation"
/// The key of the search's words in `userInfo` of an activity of `CSQueryContinuationActionType`.
public let CSSearchQueryString = "kCSSearchQueryString"
/// The key of the chosen action's identifier in `userInfo` of an activity of `CSSearchableItemActionType`.
public let CSActionIdentifier = "kCSActionIdentifier"

/// The mailbox for arriving messages, in `mailboxIdentifiers`.
public let CSMailboxInbox = "CSMailboxInbox"
/// The mailbox for unfinished messages.
public let CSMailboxDrafts = "CSMailboxDrafts"
/// The mailbox for sent messages.
public let CSMailboxSent = "CSMailboxSent"
/// The mailbox for junk.
public let CSMailboxJunk = "CSMailboxJunk"
/// The mailbox for deleted messages.
public let CSMailboxTrash = "CSMailboxTrash"
/// The mailbox for archived messages.
public let CSMailboxArchive = "CSMailboxArchive"

/// The version of the interface that this module has.
public let CoreSpotlightAPIVersion: Int32 = 40
/// The version of the module; the same as that of its interface.
public let CoreSpotlightVersionNumber: Double = 40

extension NSAttributedString.Key {
    /// Marks the part of a suggestion that the person typed.
    public static let suggestionHighlight = NSAttributedString.Key("CSSuggestionHighlightAttributeName")
}
