import BatonCore
public import Foundation

// Attributes that any kind of item can have.

extension CSSearchableItemAttributeSet {
    /// The title that search results show.
    public var title: String? {
        get { self[.title] }
        set { self[.title] = newValue }
    }

    /// The name of the item in the person's language, as the app shows it.
    public var displayName: String? {
        get { self[.displayName] }
        set { self[.displayName] = newValue }
    }

    /// Other names that people may use to search for the item.
    public var alternateNames: [String]? {
        get { self[.alternateNames] }
        set { self[.alternateNames] = newValue }
    }

    /// Words that people may search for, although they are not in the texts of the item.
    public var keywords: [String]? {
        get { self[.keywords] }
        set { self[.keywords] = newValue }
    }

    /// The full path of the item's file.
    public var path: String? {
        get { self[.path] }
        set { self[.path] = newValue }
    }

    /// The address of the item's content, which is usually a file.
    public var contentURL: URL? {
        get { self[.contentURL] }
        set { self[.contentURL] = newValue }
    }

    /// The address of a local file with a picture, which search results show.
    public var thumbnailURL: URL? {
        get { self[.thumbnailURL] }
        set { self[.thumbnailURL] = newValue }
    }

    /// The address of a local file with a picture, which search results show on a dark background.
    public var darkThumbnailURL: URL? {
        get { self[.darkThumbnailURL] }
        set { self[.darkThumbnailURL] = newValue }
    }

    /// The bytes of a picture, which search results show.
    ///
    /// If the picture is larger than the index allows, the item is indexed without it.
    public var thumbnailData: Data? {
        get { self[.thumbnailData] }
        set { self[.thumbnailData] = newValue }
    }

    /// The identifier of the item that an activity is about.
    ///
    /// The activity can be found only while that item is in the index. When the item is deleted, the activity is
    /// deleted, too.
    public var relatedUniqueIdentifier: String? {
        get { self[.relatedUniqueIdentifier] }
        set { self[.relatedUniqueIdentifier] = newValue }
    }

    /// The identifier of the item that an activity is about; the activity stays when that item is deleted.
    public var weakRelatedUniqueIdentifier: String? {
        get { self[.weakRelatedUniqueIdentifier] }
        set { self[.weakRelatedUniqueIdentifier] = newValue }
    }

    /// The domain of an activity; deleting the domain deletes a saved activity.
    public var domainIdentifier: String? {
        get { self[.domainIdentifier] }
        set { self[.domainIdentifier] = newValue }
    }

    /// The time when one of the attributes last changed.
    public var metadataModificationDate: Date? {
        get { self[.metadataModificationDate] }
        set { self[.metadataModificationDate] = newValue }
    }

    /// The identifier of the uniform type of the content.
    public var contentType: String? {
        get { self[.contentType] }
        set { self[.contentType] = newValue }
    }

    /// The identifiers of the uniform type of the content, and of all types that it conforms to.
    ///
    /// If the app leaves this nil and the type is declared, the identifiers are filled in when the item is indexed.
    public var contentTypeTree: [String]? {
        get { self[.contentTypeTree] }
        set { self[.contentTypeTree] = newValue }
    }

    /// The version of the item's content.
    public var version: String? {
        get { self[.version] }
        set { self[.version] = newValue }
    }

    /// Whether the person has created the item: 0 or 1.
    public var userCreated: NSNumber? {
        get { self[.userCreated] }
        set { self[.userCreated] = newValue }
    }

    /// Whether the person owns the item, for example because the person bought it: 0 or 1.
    public var userOwned: NSNumber? {
        get { self[.userOwned] }
        set { self[.userOwned] = newValue }
    }

    /// Whether the person has selected the item, for example as a favourite: 0 or 1.
    public var userCurated: NSNumber? {
        get { self[.userCurated] }
        set { self[.userCurated] = newValue }
    }

    /// The quality of the item in comparison with other items of the app, from 0 to 100; a larger number is better.
    ///
    /// It does not depend on the search.
    public var rankingHint: NSNumber? {
        get { self[.rankingHint] }
        set { self[.rankingHint] = newValue }
    }
}
