import BatonCore

/// An app instance's actions on a machine, and what it and its person were told.
struct AppKnowledge {
    /// The outcome of storing a state that an app made.
    enum State { case asked, kept, lost }

    private(set) var states: [Int: State] = [:]
    /// The expiration times that the app set, by state.
    private var expirations: [Int: WallTime] = [:]
    /// Whether the app has begun an activity and has not heard of its end.
    var isGoingOn = false
    /// The state with which the activity began.
    private(set) var begun = 0
    /// Whether the app wants the activity to be visible to others.
    var isOffered = false
    /// The number of the end that is being stored, if one is.
    var ending: Int? { didSet { isEndHidden = false } }
    /// Whether the person made the device private before that end was stored; then nothing records where the activity
    /// went.
    private(set) var isEndHidden = false
    /// Whether a disk or the power failed, so that the app's activity may differ from what it wanted.
    private(set) var isUncertain = false
    /// Whether the node sent writes with times later than its present clock, before it lost power or was put back.
    ///
    /// Such writes win over what the app does now when they come back.
    var isOvertaken = false
    /// Whether its node may have lost the activity's end, and may learn of it from others.
    var mayHaveEnded = false
    /// Whether the app began something behind an end that was not stored yet.
    private var hasEndBehind = false
    /// The lifetime of the activity.
    ///
    /// It is nil once the disk refused the beginning, because the previous activity may then still go on.
    private(set) var lifetime: ActivityLifetime? = .untilFinished
    /// Whether a takeover ended it, as its app was told, and nothing was begun since.
    var wasTaken = false
    /// The latest time at which it was finished and the machine stored that, also if the machine was put back behind it
    /// since.
    private var finished: WallTime?
    /// Whether its node sends it again only with a new state.
    var isToldOnce = true

    // MARK: Changes

    mutating func begin(_ activity: Activity, _ lifetime: ActivityLifetime) {
        (self.lifetime, isGoingOn, isOffered) = (lifetime, true, true)
        if ending != nil { hasEndBehind = true }
        (begun, ending, wasTaken) = (activity.version, nil, false)
        (mayHaveEnded, isToldOnce) = (false, true)
        // Until the new state is stored, the activity may fall back to the stored one.
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

    /// The person makes the device private, or no longer.
    mutating func hide() {
        isToldOnce = false
        isEndHidden = ending != nil
    }

    /// The app was told that the activity ended.
    mutating func end(isTaken: Bool) {
        (isGoingOn, wasTaken) = (false, isTaken && !isEndHidden)
        ending = nil
    }

    /// The machine stores an end of the activity.
    mutating func noteKept(_ end: Activity.End) {
        if end.taker == nil { finished = max(finished ?? end.time, end.time) }
    }

    /// The app was told that a device took the activity over at that time.
    ///
    /// A machine that comes from a backup may have finished it later, in a life that it has lost. The end that others
    /// kept comes back then, and is the last one: all report that the activity went nowhere.
    mutating func takeOver(at time: WallTime) { wasTaken = finished.map { $0 <= time } ?? true }

    /// The machine lost what it had.
    mutating func lose() {
        states = states.mapValues { _ in .lost }
        (isUncertain, mayHaveEnded, wasTaken) = (true, true, false)
    }

    /// A process has started with the activity that it loaded.
    mutating func start(with loaded: OwnActivity?) {
        for (version, known) in states where known == .asked { states[version] = .lost }
        if let loaded {
            take(loaded)
            // A beginning that was not stored does not count.
            begun = min(begun, loaded.activity.version)
        }
        // Others may have received an end that was not stored here.
        if ending != nil || hasEndBehind { mayHaveEnded = true }
        hasEndBehind = false
        (isGoingOn, ending, isUncertain) = (loaded != nil, nil, false)
        // Anything that was under way is sent once more.
        isToldOnce = false
    }

    /// The machine continues with the state that others had.
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

    /// Returns the newest stored state up to a number.
    func newestKept(upTo most: Int = .max) -> Int {
        states.filter { $0.key <= most && $0.value == .kept }.keys.max() ?? 0
    }

    /// Returns the newest state up to a number that is not lost.
    func newest(upTo most: Int) -> Int {
        states.filter { $0.key <= most && $0.value != .lost }.keys.max() ?? 0
    }

    /// Returns the newest state up to a number of which nothing can be going on any more.
    func newestEnded(of last: Int) -> Int {
        isGoingOn || isUncertain ? min(begun, newestKept()) - 1 : last
    }

    /// Returns whether one of its states was to expire by then.
    func hasExpired(at time: WallTime) -> Bool { expirations.values.contains { $0 <= time } }

    /// Whether any of its states expires.
    var expires: Bool { !expirations.isEmpty }
}
