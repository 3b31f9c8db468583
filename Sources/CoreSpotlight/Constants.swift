public import Foundation

// The values of the first four are those of Apple's systems, so that activities mean the same in files and logs. Apple has
// not published the values of the others.

/// The type of the activity that an app gets when a person opens one of its items.
public let CSSearchableItemActionType = "com.apple.corespotlightitem"
/// The key in `userInfo` of that activity under which the item's identifier is.
public let CSSearchableItemActivityIdentifier = "kCSSearchableItemActivityIdentifier"
/// The type of the activity that an app gets when a person continues a search in the app.
public let CSQueryContinuationActionType = "com.apple.corespotlightquerycontinuation"
/// The key in `userInfo` of that activity under which the words of the search are.
public let CSSearchQueryString = "kCSSearchQueryString"
/// The key in `userInfo` of an item's activity under which the identifier of the chosen action is.
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
