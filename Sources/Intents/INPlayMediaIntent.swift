public import Foundation

/// An intent to play media, such as a song, an episode or a film.
open class INPlayMediaIntent: INIntent {
    /// The media items to play.
    public let mediaItems: [INMediaItem]?
    /// The album, playlist or series that contains the items.
    public let mediaContainer: INMediaItem?
    /// Whether the items are played in random order.
    public let playShuffled: Bool?
    /// Whether playback is repeated, and of what.
    public let playbackRepeatMode: INPlaybackRepeatMode
    /// Whether playback continues at the position where it stopped.
    public let resumePlayback: Bool?
    /// The position in the queue at which the items are added.
    public let playbackQueueLocation: INPlaybackQueueLocation
    /// The speed of playback; 1 is normal speed.
    public let playbackSpeed: Double?
    /// The description of the media that the person asked for.
    public let mediaSearch: INMediaSearch?

    /// Creates an intent.
    public init(
        mediaItems: [INMediaItem]? = nil, mediaContainer: INMediaItem? = nil, playShuffled: Bool? = nil,
        playbackRepeatMode: INPlaybackRepeatMode = .unknown, resumePlayback: Bool? = nil,
        playbackQueueLocation: INPlaybackQueueLocation = .unknown, playbackSpeed: Double? = nil,
        mediaSearch: INMediaSearch? = nil
    ) {
        (self.mediaItems, self.mediaContainer, self.playShuffled) = (mediaItems, mediaContainer, playShuffled)
        (self.playbackRepeatMode, self.resumePlayback) = (playbackRepeatMode, resumePlayback)
        (self.playbackQueueLocation, self.playbackSpeed) = (playbackQueueLocation, playbackSpeed)
        self.mediaSearch = mediaSearch
        super.init()
    }

    /// A description with the title of the media.
    open override var intentDescription: String? {
        let title = mediaContainer?.title ?? mediaItems?.first?.title ?? mediaSearch?.mediaName
        return title.map { "Play \($0)" }
    }

    override class var parameters: [String: AnyKeyPath] {
        ["mediaItems": \INPlayMediaIntent.mediaItems, "mediaContainer": \INPlayMediaIntent.mediaContainer]
    }

    /// Returns an intent with the same properties.
    open override func copy(with zone: NSZone? = nil) -> Any {
        guard type(of: self) == INPlayMediaIntent.self else { return self }
        return INPlayMediaIntent(
            mediaItems: mediaItems, mediaContainer: mediaContainer, playShuffled: playShuffled,
            playbackRepeatMode: playbackRepeatMode, resumePlayback: resumePlayback,
            playbackQueueLocation: playbackQueueLocation, playbackSpeed: playbackSpeed,
            mediaSearch: mediaSearch
        ).taking(self)
    }

    /// Writes the intent to an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(list: mediaItems, forKey: Key.items)
        coder.encode(detail: mediaContainer, forKey: Key.container)
        coder.encode(choice: playShuffled, forKey: Key.shuffled)
        coder.encode(kind: playbackRepeatMode, forKey: Key.repeatMode)
        coder.encode(choice: resumePlayback, forKey: Key.resume)
        coder.encode(kind: playbackQueueLocation, forKey: Key.location)
        coder.encode(detail: playbackSpeed.map { NSNumber(value: $0) }, forKey: Key.speed)
        coder.encode(detail: mediaSearch, forKey: Key.search)
    }

    /// Reads an intent from an archive.
    public required init?(coder: NSCoder) {
        mediaItems = coder.decodeList(of: INMediaItem.self, forKey: Key.items)
        mediaContainer = coder.decodeDetail(of: INMediaItem.self, forKey: Key.container)
        playShuffled = coder.decodeChoice(forKey: Key.shuffled)
        playbackRepeatMode = coder.decodeKind(forKey: Key.repeatMode) ?? .unknown
        resumePlayback = coder.decodeChoice(forKey: Key.resume)
        playbackQueueLocation = coder.decodeKind(forKey: Key.location) ?? .unknown
        playbackSpeed = coder.decodeDetail(of: NSNumber.self, forKey: Key.speed)?.doubleValue
        mediaSearch = coder.decodeDetail(of: INMediaSearch.self, forKey: Key.search)
        super.init(coder: coder)
    }

    /// The keys of the values in an archive.
    private enum Key {
        static let items = "mediaItems"
        static let container = "mediaContainer"
        static let shuffled = "playShuffled"
        static let repeatMode = "playbackRepeatMode"
        static let resume = "resumePlayback"
        static let location = "playbackQueueLocation"
        static let speed = "playbackSpeed"
        static let search = "mediaSearch"
    }
}

/// The media that are played again when playback reaches the end.
public enum INPlaybackRepeatMode: Int, Sendable {
    /// The mode is not specified.
    case unknown = 0
    /// Nothing is repeated.
    case none = 1
    /// All media in the queue are repeated.
    case all = 2
    /// Only the current item is repeated.
    case one = 3
}

/// The position in the queue at which items are added.
public enum INPlaybackQueueLocation: Int, Sendable {
    /// The position is not specified.
    case unknown = 0
    /// The items are played immediately.
    case now = 1
    /// The items are played after the current item.
    case next = 2
    /// The items are played after all other items.
    case later = 3
}

/// The result of an `INPlayMediaIntent`.
open class INPlayMediaIntentResponse: INIntentResponse {
    /// The result as a code.
    public let code: INPlayMediaIntentResponseCode
    /// The values that the system shows for the item that is being played.
    open var nowPlayingInfo: [String: Any]?

    /// Creates a response; the app continues the intent in the activity.
    public init(code: INPlayMediaIntentResponseCode, userActivity: NSUserActivity?) {
        self.code = code
        super.init()
        self.userActivity = userActivity
    }

    /// Returns a response with the same properties.
    open override func copy(with zone: NSZone? = nil) -> Any {
        guard type(of: self) == INPlayMediaIntentResponse.self else { return self }
        let copy = INPlayMediaIntentResponse(code: code, userActivity: userActivity)
        copy.nowPlayingInfo = nowPlayingInfo
        return copy
    }

    /// Writes the response to an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(kind: code, forKey: "code")
    }

    /// Reads a response from an archive.
    public required init?(coder: NSCoder) {
        code = coder.decodeKind(forKey: "code") ?? .unspecified
        super.init(coder: coder)
    }
}

/// The result of an `INPlayMediaIntent` as a code.
public enum INPlayMediaIntentResponseCode: Int, Sendable {
    /// The result is not specified.
    case unspecified = 0
    /// The app is ready to begin.
    case ready = 1
    /// The app must be opened to play the media.
    case continueInApp = 2
    /// The app is handling the intent.
    case inProgress = 3
    /// The app is playing the media.
    case success = 4
    /// The app handles the intent in the background.
    case handleInApp = 5
    /// The app could not play the media.
    case failure = 6
    /// The app could not play the media, because it must be opened first.
    case failureRequiringAppLaunch = 7
    /// The app does not know this kind of media.
    case failureUnknownMediaType = 8
    /// There is nothing that the person has not already played.
    case failureNoUnplayedContent = 9
    /// The person is not allowed to play the media.
    case failureRestrictedContent = 10
    /// The maximum number of simultaneous streams is reached.
    case failureMaxStreamLimitReached = 11
}
