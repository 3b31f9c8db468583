public import Foundation

/// Describes what a person wants to be played.
open class INMediaSearch: NSObject, NSCopying, NSSecureCoding {
    /// The kind.
    public let mediaType: INMediaItemType
    /// The order of the results.
    public let sortOrder: INMediaSortOrder
    /// The name of the thing.
    public let mediaName: String?
    /// The name of the artist.
    public let artistName: String?
    /// The name of the album.
    public let albumName: String?
    /// The names of genres.
    public let genreNames: [String]?
    /// The names of moods.
    public let moodNames: [String]?
    /// The period in which the thing was released.
    public let releaseDate: INDateComponentsRange?
    /// How the person referred to the thing without its name.
    public let reference: INMediaReference
    /// The app's identifier of the thing.
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

    /// A number that equal objects share.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(mediaName)
        hasher.combine(artistName)
        hasher.combine(mediaIdentifier)
        return hasher.finalize()
    }

    /// Whether searches can be read securely from an archive.
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

    /// The names in an archive.
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

/// A period from one day to another.
open class INDateComponentsRange: NSObject, NSCopying, NSSecureCoding {
    /// The beginning.
    public let startDateComponents: DateComponents?
    /// The end.
    public let endDateComponents: DateComponents?

    /// Creates a period.
    public init(start startDateComponents: DateComponents?, end endDateComponents: DateComponents?) {
        (self.startDateComponents, self.endDateComponents) = (startDateComponents, endDateComponents)
        super.init()
    }

    /// Returns the period itself, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares beginning and end.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INDateComponentsRange else { return false }
        return startDateComponents == other.startDateComponents
            && endDateComponents == other.endDateComponents
    }

    /// A number that equal objects share.
    open override var hash: Int { [startDateComponents, endDateComponents].hashValue }

    /// Whether periods can be read securely from an archive.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the period to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(detail: startDateComponents.map { $0 as NSDateComponents }, forKey: Key.start)
        coder.encode(detail: endDateComponents.map { $0 as NSDateComponents }, forKey: Key.end)
    }

    /// Reads a period from an archive.
    public required init?(coder: NSCoder) {
        let components = { (key: String) in
            coder.decodeDetail(of: NSDateComponents.self, forKey: key).map { $0 as DateComponents }
        }
        (startDateComponents, endDateComponents) = (components(Key.start), components(Key.end))
        super.init()
    }

    /// The names in an archive.
    private enum Key {
        static let start = "startDateComponents"
        static let end = "endDateComponents"
    }
}

/// The order of the results.
public enum INMediaSortOrder: Int, Sendable {
    /// Not specified.
    case unknown = 0
    /// The newest first.
    case newest = 1
    /// The oldest first.
    case oldest = 2
    /// The best first.
    case best = 3
    /// The worst first.
    case worst = 4
    /// The best liked things first.
    case popular = 5
    /// The least liked things first.
    case unpopular = 6
    /// Things of growing popularity first.
    case trending = 7
    /// Recommended things first.
    case recommended = 8
}

/// How a person refers, without a name, to a thing to be played.
public enum INMediaReference: Int, Sendable {
    /// Not specified.
    case unknown = 0
    /// The thing that is being played.
    case currentlyPlaying = 1
    /// A thing of the person's own.
    case my = 2
}
