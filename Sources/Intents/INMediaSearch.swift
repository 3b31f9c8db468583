public import Foundation

/// A description of the media that a person wants to be played.
open class INMediaSearch: NSObject, NSCopying, NSSecureCoding {
    /// The kind of the media.
    public let mediaType: INMediaItemType
    /// The order in which results should be sorted.
    public let sortOrder: INMediaSortOrder
    /// The name of the media item.
    public let mediaName: String?
    /// The name of the artist.
    public let artistName: String?
    /// The name of the album.
    public let albumName: String?
    /// The names of genres.
    public let genreNames: [String]?
    /// The names of moods.
    public let moodNames: [String]?
    /// The time in which the media were released.
    public let releaseDate: INDateComponentsRange?
    /// The way in which the person referred to the media without a name.
    public let reference: INMediaReference
    /// The app's identifier for the media.
    public let mediaIdentifier: String?

    /// Creates a search.
    public init(
        mediaType: INMediaItemType = .unknown, sortOrder: INMediaSortOrder = .unknown,
        mediaName: String? = nil,
        artistName: String? = nil, albumName: String? = nil, genreNames: [String]? = nil,
        moodNames: [String]? = nil, releaseDate: INDateComponentsRange? = nil,
        reference: INMediaReference = .unknown, mediaIdentifier: String? = nil
    ) {
        (self.mediaType, self.sortOrder, self.mediaName) = (mediaType, sortOrder, mediaName)
        (self.artistName, self.albumName) = (artistName, albumName)
        (self.genreNames, self.moodNames, self.releaseDate) = (genreNames, moodNames, releaseDate)
        (self.reference, self.mediaIdentifier) = (reference, mediaIdentifier)
        super.init()
    }

    /// Returns the search itself, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares all properties.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INMediaSearch else { return false }
        return mediaType == other.mediaType && sortOrder == other.sortOrder && mediaName == other.mediaName
            && artistName == other.artistName && albumName == other.albumName
            && genreNames == other.genreNames && moodNames == other.moodNames
            && releaseDate == other.releaseDate && reference == other.reference
            && mediaIdentifier == other.mediaIdentifier
    }

    /// A hash value, which is the same for equal searches.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(mediaName)
        hasher.combine(artistName)
        hasher.combine(mediaIdentifier)
        return hasher.finalize()
    }

    /// Whether searches can be decoded securely from an archive.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the search to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(kind: mediaType, forKey: Key.type)
        coder.encode(kind: sortOrder, forKey: Key.order)
        coder.encode(text: mediaName, forKey: Key.name)
        coder.encode(text: artistName, forKey: Key.artist)
        coder.encode(text: albumName, forKey: Key.album)
        coder.encode(texts: genreNames, forKey: Key.genres)
        coder.encode(texts: moodNames, forKey: Key.moods)
        coder.encode(detail: releaseDate, forKey: Key.date)
        coder.encode(kind: reference, forKey: Key.reference)
        coder.encode(text: mediaIdentifier, forKey: Key.identifier)
    }

    /// Reads a search from an archive.
    public required init?(coder: NSCoder) {
        mediaType = coder.decodeKind(forKey: Key.type) ?? .unknown
        sortOrder = coder.decodeKind(forKey: Key.order) ?? .unknown
        mediaName = coder.decodeText(forKey: Key.name)
        artistName = coder.decodeText(forKey: Key.artist)
        albumName = coder.decodeText(forKey: Key.album)
        genreNames = coder.decodeTexts(forKey: Key.genres)
        moodNames = coder.decodeTexts(forKey: Key.moods)
        releaseDate = coder.decodeDetail(of: INDateComponentsRange.self, forKey: Key.date)
        reference = coder.decodeKind(forKey: Key.reference) ?? .unknown
        mediaIdentifier = coder.decodeText(forKey: Key.identifier)
        super.init()
    }

    /// The keys of the values in an archive.
    private enum Key {
        static let type = "mediaType"
        static let order = "sortOrder"
        static let name = "mediaName"
        static let artist = "artistName"
        static let album = "albumName"
        static let genres = "genreNames"
        static let moods = "moodNames"
        static let date = "releaseDate"
        static let reference = "reference"
        static let identifier = "mediaIdentifier"
    }
}

/// A range of dates.
open class INDateComponentsRange: NSObject, NSCopying, NSSecureCoding {
    /// The start of the range.
    public let startDateComponents: DateComponents?
    /// The end of the range.
    public let endDateComponents: DateComponents?

    /// Creates a range of dates.
    public init(start startDateComponents: DateComponents?, end endDateComponents: DateComponents?) {
        (self.startDateComponents, self.endDateComponents) = (startDateComponents, endDateComponents)
        super.init()
    }

    /// Returns the range itself, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares the starts and the ends.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INDateComponentsRange else { return false }
        return startDateComponents == other.startDateComponents
            && endDateComponents == other.endDateComponents
    }

    /// A hash value, which is the same for equal ranges.
    open override var hash: Int { [startDateComponents, endDateComponents].hashValue }

    /// Whether ranges can be decoded securely from an archive.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the range to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(detail: startDateComponents.map { $0 as NSDateComponents }, forKey: Key.start)
        coder.encode(detail: endDateComponents.map { $0 as NSDateComponents }, forKey: Key.end)
    }

    /// Reads a range from an archive.
    public required init?(coder: NSCoder) {
        let components = { (key: String) in
            coder.decodeDetail(of: NSDateComponents.self, forKey: key).map { $0 as DateComponents }
        }
        (startDateComponents, endDateComponents) = (components(Key.start), components(Key.end))
        super.init()
    }

    /// The keys of the values in an archive.
    private enum Key {
        static let start = "startDateComponents"
        static let end = "endDateComponents"
    }
}

/// The order in which results should be sorted.
public enum INMediaSortOrder: Int, Sendable {
    /// The order is not specified.
    case unknown = 0
    /// The newest results come first.
    case newest = 1
    /// The oldest results come first.
    case oldest = 2
    /// The best results come first.
    case best = 3
    /// The worst results come first.
    case worst = 4
    /// The most popular results come first.
    case popular = 5
    /// The least popular results come first.
    case unpopular = 6
    /// Results whose popularity is growing come first.
    case trending = 7
    /// Recommended results come first.
    case recommended = 8
}

/// A way in which a person refers to media without a name.
public enum INMediaReference: Int, Sendable {
    /// The reference is not specified.
    case unknown = 0
    /// The media that are being played now.
    case currentlyPlaying = 1
    /// The person's own media, as in “my playlist”.
    case my = 2
}
