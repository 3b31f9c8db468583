public import Foundation

/// Plays something: a song, an episode, a film.
open class INPlayMediaIntent: INIntent {
    /// The things to be played.
    public let mediaItems: [INMediaItem]?
    /// The album, list or series from which they are.
    public let mediaContainer: INMediaItem?
    /// Whether the order is random.
    public let playShuffled: Bool?
    /// The part that is repeated.
    public let playbackRepeatMode: INPlaybackRepeatMode
    /// Whether playback resumes where it stopped.
    public let resumePlayback: Bool?
    /// The place in the queue.
    public let playbackQueueLocation: INPlaybackQueueLocation
    /// The speed: 1 is that of the recording.
    public let playbackSpeed: Double?
    /// The wish of the person.
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

    /// Names what is played, by its title.
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

    /// The names in an archive.
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

/// The part of the queue that is repeated.
public enum INPlaybackRepeatMode: Int, Sendable {
    /// Not specified.
    case unknown = 0
    /// Nothing.
    case none = 1
    /// All of it.
    case all = 2
    /// The one thing that is being played.
    case one = 3
}

/// The place in the queue.
public enum INPlaybackQueueLocation: Int, Sendable {
    /// Not specified.
    case unknown = 0
    /// Immediately.
    case now = 1
    /// After the thing that is being played.
    case next = 2
    /// At the end.
    case later = 3
}

/// The outcome of `INPlayMediaIntent`.
open class INPlayMediaIntentResponse: INIntentResponse {
    /// The outcome.
    public let code: INPlayMediaIntentResponseCode
    /// The values that the system shows of the thing that is being played.
    open var nowPlayingInfo: [String: Any]?

    /// Creates a response, with the activity in which the app continues the intent.
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

    /// Writes the outcome to an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(kind: code, forKey: "code")
    }

    /// Reads an outcome from an archive.
    public required init?(coder: NSCoder) {
        code = coder.decodeKind(forKey: "code") ?? .unspecified
        super.init(coder: coder)
    }
}

/// An outcome of `INPlayMediaIntent`.
public enum INPlayMediaIntentResponseCode: Int, Sendable {
    /// Not specified.
    case unspecified = 0
    /// The app can begin.
    case ready = 1
    /// The app has to be opened for it.
    case continueInApp = 2
    /// The app is working on it.
    case inProgress = 3
    /// The app has done it.
    case success = 4
    /// The app does it without being shown.
    case handleInApp = 5
    /// The app could not do it.
    case failure = 6
    /// The app could not do it without being opened.
    case failureRequiringAppLaunch = 7
    /// The app does not know the kind of thing.
    case failureUnknownMediaType = 8
    /// Everything was played before.
    case failureNoUnplayedContent = 9
    /// The person may not play it.
    case failureRestrictedContent = 10
    /// Too much is being played at the same time.
    case failureMaxStreamLimitReached = 11
}
