import BatonCore

/// What an app instance did on a machine, and what it and its person were told.
struct AppKnowledge {
    /// What became of a state that an app made.
    enum State { case asked, kept, lost }

    private(set) var states: [Int: State] = [:]
    /// When what it does was to be over, in each of its states that said so.
    private var expirations: [Int: WallTime] = [:]
    /// Whether the app has begun something and heard of no end.
    var isGoingOn = false
    /// With which state it began that.
    private(set) var begun = 0
    /// Whether others may see it, as the app wants it.
    var isOffered = false
    /// The end of it that is being kept, by its number, if one is.
    var ending: Int? { didSet { isEndHidden = false } }
    /// Whether the person had nothing leave the device before that was kept; then nothing is kept of where it went.
    private(set) var isEndHidden = false
    /// Whether a disk failed, or power went, so that the app may be at something else than it wanted.
    private(set) var isUncertain = false
    /// Whether its node, before it lost power or was put back, told others of writes that are later than its clock since:
    /// what comes back of them wins over what the app does now.
    var isOvertaken = false
    /// Whether it may be that its node has lost its end, and hears of that from others.
    var mayHaveEnded = false
    /// Whether the app began something behind an end that was not kept yet.
    private var hasEndBehind = false
    /// How long it goes on; unknown once the disk refused the beginning, because the app may then be at what was before.
    private(set) var lifetime: ActivityLifetime? = .untilFinished
    /// Whether it ended by that, as its app was told, and nothing was begun since.
    var wasTaken = false
    /// When it was finished last of all times that the machine kept that, also if it was put back behind that since.
    private var finished: WallTime?
    /// Whether nothing but a new state has its node tell of it once more.
    var isToldOnce = true

    // MARK: Changes

    mutating func begin(_ activity: Activity, _ lifetime: ActivityLifetime) {
        (self.lifetime, isGoingOn, isOffered) = (lifetime, true, true)
        if ending != nil { hasEndBehind = true }
        (begun, ending, wasTaken) = (activity.version, nil, false)
        (mayHaveEnded, isToldOnce) = (false, true)
        // Until that is kept, it may fall back to what is.
        let kept = newestKept()
        expirations = expirations.filter { $0.key >= kept }
        ask(activity)
    }

    mutating func ask(_ activity: Activity) {
        states[activity.version] = .asked
        isToldOnce = true
        expirations[activity.version] = activity.expiration
    }

    mutating func answer(_ version: Int?, _ failure: StoreFailure?) {
        if let version, states[version] == .asked { states[version] = failure == nil ? .kept : .lost }
        if let version, version >= begun, failure == nil { hasEndBehind = false }
        if failure != nil { isToldOnce = false }
        if failure != nil, version == begun { lifetime = nil }
        if failure != nil || version != nil { isUncertain = failure != nil }
    }

    /// The person has nothing leave the device, or lets things leave again.
    mutating func hide() {
        isToldOnce = false
        isEndHidden = ending != nil
    }

    /// The app was told that it ended.
    mutating func end(isTaken: Bool) {
        (isGoingOn, wasTaken) = (false, isTaken && !isEndHidden)
        ending = nil
    }

    /// The machine keeps an end of it.
    mutating func noteKept(_ end: Activity.End) {
        if end.taker == nil { finished = max(finished ?? end.time, end.time) }
    }

    /// The app was told that a device took it over then.
    ///
    /// A machine that comes from a backup may have finished it later, in a life that it has lost. What others kept of
    /// that comes back, and is the last end then: all say that it went nowhere.
    mutating func takeOver(at time: WallTime) { wasTaken = finished.map { $0 <= time } ?? true }

    /// The machine lost what it had.
    mutating func lose() {
        states = states.mapValues { _ in .lost }
        (isUncertain, mayHaveEnded, wasTaken) = (true, true, false)
    }

    /// A process has started with that.
    mutating func start(with loaded: OwnActivity?) {
        for (version, known) in states where known == .asked { states[version] = .lost }
        if let loaded {
            take(loaded)
            // A beginning that was not kept is none.
            begun = min(begun, loaded.activity.version)
        }
        // Others may have been told of an end that was not kept.
        if ending != nil || hasEndBehind { mayHaveEnded = true }
        hasEndBehind = false
        (isGoingOn, ending, isUncertain) = (loaded != nil, nil, false)
        // Whatever was under way is told once more.
        isToldOnce = false
    }

    /// The machine goes on with what others had.
    mutating func takeBack(_ own: OwnActivity) {
        states = states.mapValues { _ in .lost }
        take(own)
        (isGoingOn, ending, wasTaken, isToldOnce) = (true, nil, false, false)
        begun = min(begun, own.activity.version)
    }

    private mutating func take(_ own: OwnActivity) {
        states[own.activity.version] = .kept
        expirations[own.activity.version] = own.activity.expiration
        (isOffered, lifetime) = (own.isOffered, own.lifetime)
    }

    // MARK: Queries

    /// The newest state that is kept, up to that one.
    func newestKept(upTo most: Int = .max) -> Int {
        states.filter { $0.key <= most && $0.value == .kept }.keys.max() ?? 0
    }

    /// The newest state that is not lost, up to that one.
    func newest(upTo most: Int) -> Int {
        states.filter { $0.key <= most && $0.value != .lost }.keys.max() ?? 0
    }

    /// The newest state, of all up to that one, of which nothing can be going on any more.
    func newestEnded(of last: Int) -> Int {
        isGoingOn || isUncertain ? min(begun, newestKept()) - 1 : last
    }

    /// Whether a state of it was to be over by then.
    func hasExpired(at time: WallTime) -> Bool { expirations.values.contains { $0 <= time } }

    /// Whether it ever expires.
    var expires: Bool { !expirations.isEmpty }
}
