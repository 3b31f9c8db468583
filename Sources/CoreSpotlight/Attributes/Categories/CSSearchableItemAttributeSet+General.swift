import BatonCore
public import Foundation

// Attributes of every kind of item.

extension CSSearchableItemAttributeSet {
    /// The title that search results show.
    public var title: String? {
        get { self[.title] }
        set { self[.title] = newValue }
    }

    /// The name of the item as the app shows it, in the person's language.
    public var displayName: String? {
        get { self[.displayName] }
        set { self[.displayName] = newValue }
    }

    /// Other names under which people look for the item.
    public var alternateNames: [String]? {
        get { self[.alternateNames] }
        set { self[.alternateNames] = newValue }
    }

    /// Words that people may search for and that the item's texts lack.
    public var keywords: [String]? {
        get { self[.keywords] }
        set { self[.keywords] = newValue }
    }

    /// The full path of the item's file.
    public var path: String? {
        get { self[.path] }
        set { self[.path] = newValue }
    }

    /// The address of the item's content, usually of a file.
    public var contentURL: URL? {
        get { self[.contentURL] }
        set { self[.contentURL] = newValue }
    }

    /// The address of a local file with a picture for search results.
    public var thumbnailURL: URL? {
        get { self[.thumbnailURL] }
        set { self[.thumbnailURL] = newValue }
    }

    /// The address of a local file with a picture for search results on a dark background.
    public var darkThumbnailURL: URL? {
        get { self[.darkThumbnailURL] }
        set { self[.darkThumbnailURL] = newValue }
    }

    /// The bytes of a picture for search results.
    ///
    /// A picture that is larger than the index takes is left out when the item is indexed; the item itself is indexed.
    public var thumbnailData: Data? {
        get { self[.thumbnailData] }
        set { self[.thumbnailData] = newValue }
    }

    /// The identifier of the item that an activity is about.
    ///
    /// The activity is found only while that item is in the index, and is deleted with it.
    public var relatedUniqueIdentifier: String? {
        get { self[.relatedUniqueIdentifier] }
        set { self[.relatedUniqueIdentifier] = newValue }
    }

    /// The identifier of the item that an activity is about, without a tie between their lifetimes.
    public var weakRelatedUniqueIdentifier: String? {
        get { self[.weakRelatedUniqueIdentifier] }
        set { self[.weakRelatedUniqueIdentifier] = newValue }
    }

    /// The domain of an activity, by which a saved activity can be deleted.
    public var domainIdentifier: String? {
        get { self[.domainIdentifier] }
        set { self[.domainIdentifier] = newValue }
    }

    /// The time when one of the attributes last changed.
    public var metadataModificationDate: Date? {
        get { self[.metadataModificationDate] }
        set { self[.metadataModificationDate] = newValue }
    }

    /// The identifier of the content's uniform type.
    public var contentType: String? {
        get { self[.contentType] }
        set { self[.contentType] = newValue }
    }

    /// The identifiers of the content's uniform type and of all types that it conforms to.
    ///
    /// If the app leaves it nil, the index fills it in for types that are declared.
    public var contentTypeTree: [String]? {
        get { self[.contentTypeTree] }
        set { self[.contentTypeTree] = newValue }
    }

    /// The version of the item's content.
    public var version: String? {
        get { self[.version] }
        set { self[.version] = newValue }
    }

    /// Whether the person made the item: 0 or 1.
    public var userCreated: NSNumber? {
        get { self[.userCreated] }
        set { self[.userCreated] = newValue }
    }

    /// Whether the person owns the item, for example by buying it: 0 or 1.
    public var userOwned: NSNumber? {
        get { self[.userOwned] }
        set { self[.userOwned] = newValue }
    }

    /// Whether the person chose the item, for example as a favourite: 0 or 1.
    public var userCurated: NSNumber? {
        get { self[.userCurated] }
        set { self[.userCurated] = newValue }
    }

    /// How good the item is compared with others of the app, whatever the search: from 0 to 100, larger is better.
    public var rankingHint: NSNumber? {
        get { self[.rankingHint] }
        set { self[.rankingHint] = newValue }
    }
}
