public import Foundation

/// Something that can be played, such as a song, an album, an episode or a film.
open class INMediaItem: NSObject, NSCopying, NSSecureCoding {
    /// The app's identifier for the item.
    public let identifier: String?
    /// The title of the item.
    public let title: String?
    /// The kind of the item.
    public let type: INMediaItemType
    /// A picture for the item, such as the cover of an album.
    public let artwork: INImage?
    /// The name of the artist.
    public let artist: String?

    /// Creates an item without an artist.
    public convenience init(identifier: String?, title: String?, type: INMediaItemType, artwork: INImage?) {
        self.init(identifier: identifier, title: title, type: type, artwork: artwork, artist: nil)
    }

    /// Creates an item.
    public init(
        identifier: String?, title: String?, type: INMediaItemType, artwork: INImage?, artist: String?
    ) {
        (self.identifier, self.title, self.type) = (identifier, title, type)
        (self.artwork, self.artist) = (artwork, artist)
        super.init()
    }

    /// Returns the item itself, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares all properties.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INMediaItem else { return false }
        return identifier == other.identifier && title == other.title && type == other.type
            && artwork == other.artwork && artist == other.artist
    }

    /// A hash value, which is the same for equal items.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(identifier)
        hasher.combine(title)
        return hasher.finalize()
    }

    /// Whether items can be decoded securely from an archive.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the item to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(text: identifier, forKey: Key.identifier)
        coder.encode(text: title, forKey: Key.title)
        coder.encode(kind: type, forKey: Key.type)
        coder.encode(picture: artwork, forKey: Key.artwork)
        coder.encode(text: artist, forKey: Key.artist)
    }

    /// Reads an item from an archive.
    public required init?(coder: NSCoder) {
        identifier = coder.decodeText(forKey: Key.identifier)
        title = coder.decodeText(forKey: Key.title)
        type = coder.decodeKind(forKey: Key.type) ?? .unknown
        artwork = coder.decodePicture(forKey: Key.artwork)
        artist = coder.decodeText(forKey: Key.artist)
        super.init()
    }

    /// The keys of the values in an archive.
    private enum Key {
        static let identifier = "identifier"
        static let title = "title"
        static let type = "type"
        static let artwork = "artwork"
        static let artist = "artist"
    }
}

/// The kind of something that can be played.
public enum INMediaItemType: Int, Sendable {
    /// The kind is not specified.
    case unknown = 0
    /// A song.
    case song = 1
    /// An album.
    case album = 2
    /// All media of an artist.
    case artist = 3
    /// All media of a genre.
    case genre = 4
    /// A playlist.
    case playlist = 5
    /// A podcast.
    case podcastShow = 6
    /// An episode of a podcast.
    case podcastEpisode = 7
    /// A list of podcasts.
    case podcastPlaylist = 8
    /// A station with music.
    case musicStation = 9
    /// An audiobook.
    case audioBook = 10
    /// A film.
    case movie = 11
    /// A television series.
    case tvShow = 12
    /// An episode of a television series.
    case tvShowEpisode = 13
    /// A music video.
    case musicVideo = 14
    /// A station with podcasts.
    case podcastStation = 15
    /// A radio station.
    case radioStation = 16
    /// A station with any kind of content.
    case station = 17
    /// Any music.
    case music = 18
    /// A radio station whose content is chosen by an algorithm.
    case algorithmicRadioStation = 19
    /// News.
    case news = 20
}
