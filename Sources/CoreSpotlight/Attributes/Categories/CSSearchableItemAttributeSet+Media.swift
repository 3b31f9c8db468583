import BatonCore
public import Foundation

// Attributes of films, sound and published works.

extension CSSearchableItemAttributeSet {
    /// The people who edited the content.
    public var editors: [String]? {
        get { self[.editors] }
        set { self[.editors] = newValue }
    }

    /// The people who can be seen or heard in the content.
    public var participants: [String]? {
        get { self[.participants] }
        set { self[.participants] = newValue }
    }

    /// The projects that the content belongs to.
    public var projects: [String]? {
        get { self[.projects] }
        set { self[.projects] = newValue }
    }

    /// The places that the content came from.
    public var contentSources: [String]? {
        get { self[.contentSources] }
        set { self[.contentSources] = newValue }
    }

    /// The contacts that are connected with the content.
    public var contactKeywords: [String]? {
        get { self[.contactKeywords] }
        set { self[.contactKeywords] = newValue }
    }

    /// The codecs of the content.
    public var codecs: [String]? {
        get { self[.codecs] }
        set { self[.codecs] = newValue }
    }

    /// The types of media in the content; for example, “Sound”.
    public var mediaTypes: [String]? {
        get { self[.mediaTypes] }
        set { self[.mediaTypes] = newValue }
    }

    /// The organisations that have created the content.
    public var organizations: [String]? {
        get { self[.organizations] }
        set { self[.organizations] = newValue }
    }

    /// The languages of the content, as BCP 47 tags.
    public var languages: [String]? {
        get { self[.languages] }
        set { self[.languages] = newValue }
    }

    /// The people or organisations that published the content.
    public var publishers: [String]? {
        get { self[.publishers] }
        set { self[.publishers] = newValue }
    }

    /// The people who contributed to the content.
    public var contributors: [String]? {
        get { self[.contributors] }
        set { self[.contributors] = newValue }
    }

    /// The places or times that the content is about.
    public var coverage: [String]? {
        get { self[.coverage] }
        set { self[.coverage] = newValue }
    }

    /// The people who perform in the content.
    public var performers: [String]? {
        get { self[.performers] }
        set { self[.performers] = newValue }
    }

    /// A comment about the content.
    public var comment: String? {
        get { self[.comment] }
        set { self[.comment] = newValue }
    }

    /// The copyright notice.
    public var copyright: String? {
        get { self[.copyright] }
        set { self[.copyright] = newValue }
    }

    /// The role of a person or thing in the content.
    public var role: String? {
        get { self[.role] }
        set { self[.role] = newValue }
    }

    /// A description of the ways in which the content may be used.
    public var rights: String? {
        get { self[.rights] }
        set { self[.rights] = newValue }
    }

    /// The rating, described in words.
    public var ratingDescription: String? {
        get { self[.ratingDescription] }
        set { self[.ratingDescription] = newValue }
    }

    /// Further information about the content.
    public var information: String? {
        get { self[.information] }
        set { self[.information] = newValue }
    }

    /// The director of the content.
    public var director: String? {
        get { self[.director] }
        set { self[.director] = newValue }
    }

    /// The producer of the content.
    public var producer: String? {
        get { self[.producer] }
        set { self[.producer] = newValue }
    }

    /// The genre of the content.
    public var genre: String? {
        get { self[.genre] }
        set { self[.genre] = newValue }
    }

    /// The original format of the content.
    public var originalFormat: String? {
        get { self[.originalFormat] }
        set { self[.originalFormat] = newValue }
    }

    /// The original source that the content was created from.
    public var originalSource: String? {
        get { self[.originalSource] }
        set { self[.originalSource] = newValue }
    }

    /// The time when the content was downloaded.
    public var downloadedDate: Date? {
        get { self[.downloadedDate] }
        set { self[.downloadedDate] = newValue }
    }

    /// The time when the item was last used.
    public var lastUsedDate: Date? {
        get { self[.lastUsedDate] }
        set { self[.lastUsedDate] = newValue }
    }

    /// The time when the content was created.
    public var contentCreationDate: Date? {
        get { self[.contentCreationDate] }
        set { self[.contentCreationDate] = newValue }
    }

    /// The time when the content last changed.
    public var contentModificationDate: Date? {
        get { self[.contentModificationDate] }
        set { self[.contentModificationDate] = newValue }
    }

    /// The time when the item was added to its app or folder.
    public var addedDate: Date? {
        get { self[.addedDate] }
        set { self[.addedDate] = newValue }
    }

    /// The duration in seconds.
    public var duration: NSNumber? {
        get { self[.duration] }
        set { self[.duration] = newValue }
    }

    /// The bit rate of sound and picture together.
    public var totalBitRate: NSNumber? {
        get { self[.totalBitRate] }
        set { self[.totalBitRate] = newValue }
    }

    /// The bit rate of the picture.
    public var videoBitRate: NSNumber? {
        get { self[.videoBitRate] }
        set { self[.videoBitRate] = newValue }
    }

    /// The bit rate of the sound.
    public var audioBitRate: NSNumber? {
        get { self[.audioBitRate] }
        set { self[.audioBitRate] = newValue }
    }

    /// The number of times that the item was played.
    public var playCount: NSNumber? {
        get { self[.playCount] }
        set { self[.playCount] = newValue }
    }

    /// The person's rating, from 0 to 5.
    public var rating: NSNumber? {
        get { self[.rating] }
        set { self[.rating] = newValue }
    }

    /// Whether the content is prepared for streaming: 0 or 1.
    public var streamable: NSNumber? {
        get { self[.streamable] }
        set { self[.streamable] = newValue }
    }

    /// Whether the content is on this machine: 0 or 1.
    public var local: NSNumber? {
        get { self[.local] }
        set { self[.local] = newValue }
    }

    /// Whether the content is explicit, such as lyrics that are not for children: 0 or 1.
    public var contentRating: NSNumber? {
        get { self[.contentRating] }
        set { self[.contentRating] = newValue }
    }

    /// The way in which the content is delivered: 0 for a fast start, 1 for RTSP.
    public var deliveryType: NSNumber? {
        get { self[.deliveryType] }
        set { self[.deliveryType] = newValue }
    }

    /// The web address of the item.
    public var url: URL? {
        get { self[.url] }
        set { self[.url] = newValue }
    }
}
