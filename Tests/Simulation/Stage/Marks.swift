/// Rare events that many worlds must reach; an event that no world reaches is not tested at all.
package enum Mark: String, CaseIterable, Sendable {
    case tombstonesCollected = "tombstones collected"
    case tombstonesCollectedWhileAway = "tombstones collected while someone was away"
    case snapshots = "snapshots begun"
    case snapshotsCut = "snapshots cut in the middle"
    case snapshotsResumed = "snapshots resumed"
    case snapshotsAnew = "snapshots begun anew"
    case claimsGivenUp = "claims given up with a snapshot"
    case renewals = "writes written anew"
    case toldAhead = "writes of which others were told before they were kept"
    case adoptions = "writes adopted"
    case refusals = "batches refused because their sender lacked what was collected"
    case statesShown = "client states shown"
    case statesHeldBack = "client states held back"
    case batchesUnheard = "batches kept and never acknowledged"
    case cutsInFrame = "cuts in a frame"
    case duplicates = "duplicated sessions"
    case halfOpen = "half-open connections"
    case oneWay = "one-way connections"
    case partitions = "partitions"
    case partsTold = "vectors of which some parts were told"
    case framesLate = "frames that waited while more came from the store"
    case fullWindows = "windows that were full"
    case pauses = "pauses"
    case lifeGoesOn = "lives that went on after a crash"
    case lifeBegins = "lives begun after a crash"
    case powerLosses = "power losses that took something"
    case forgotten = "acknowledged writes that a loss took from everyone"
    case failedGroups = "groups that a disk refused"
    case fullInSnapshot = "disks full in a snapshot"
    case failedUpkeep = "groups refused with work that a device does by itself"
    case refusedSubjects = "subjects of the account that a disk refused once"
    case restoredSilent = "restored and silent until it met someone"
    case restoredWriting = "restored and writing before it met anyone"
    case restoredByProduct = "backups that the product made and restored"
    case backupsRefused = "damaged backups refused"
    case clones = "clones"
    case emptied = "emptied stores"
    case rescued = "rescued stores"
    case destroyed = "destroyed devices"
    case sendersLost = "devices destroyed while they sent a snapshot"
    case joined = "devices that joined"
    case rejoined = "devices that left and joined again"
    case away = "devices away for long"
    case clockBack = "clocks set back"
    case clockZero = "clocks at 1970"
    case clockFar = "clocks ten years off"
    case strangeTimes = "writes with times that no clock shows"
    case impersonations = "records of activities made up in the name of another device"
    case moved = "activities that went on under another name"
    case oldSessions = "sessions with an older version"
    case newerWrites = "writes of a newer version"
    case rubbishClosed = "sessions closed for rubbish"
    case swept = "records swept"
    case expiredGone = "worlds in which all that had expired went"
    case extended = "items given another end"
    case failedMidway = "disks that failed in the middle of a group"
    case damageLosses = "damaged stores of which not all could be rescued"
    case damageHarmless = "damaged lanes of which all was rescued"
    case batchesRescued = "lanes rescued with batches that were not merged"
    case itemsFound = "items found by their words"
    case searchesRefilled = "searches while words were gathered anew"
    case searchesCorrected = "searches for other words than were typed"
    case activitiesFound = "activities found by their words"
    case suggested = "words that were suggested"
    case pagesTaken = "pages of what was found"
    case settlingSteps = "steps that clears had put off"
    case revoked = "devices revoked"
    case ownersRevoked = "owners revoked"
    case feuds = "owners that revoked each other"
    case admittedAnew = "devices admitted anew"
    case revocationsLost = "processes whose store had lost what the files beside it say of revocations"
    case strangers = "strangers at the door"
    case refusedByRoster = "sessions refused by the roster"
    case sessionsEndedByRoster = "sessions ended by the roster"
    case outcasts = "devices that were no members in the end"
    case removed = "devices given up"
    case returned = "devices that were given up and came back"
    case misdialled = "sessions between devices of two accounts"
    case pretenders = "devices that said to be of another account"
    case handed = "activities that went on elsewhere"
    case savedForOthers = "activities that their apps saved for others"
    case takenOver = "activities that were taken over"
    case takenAlone = "activities that were taken over without their device"
    case replicasTold = "activities that went on as they had arrived"
    case goneTold = "activities of which it was told where they went"
    case forgottenElsewhere = "activities that were forgotten where they were not going on"
    case forgottenHere = "activities that were forgotten where they were going on"
    case savedForgotten = "activities that had ended and were forgotten"
    case savedDeleted = "apps that deleted what was kept"
    case expiredActivities = "activities whose time was over"
    case takenBack = "activities that others still had as a device had lost them, or its copy made them"
    case staged = "pieces of batches staged"
    case stagedBatches = "staged batches ended"
    case overtaken = "updates that were made while a batch was not merged"
    case spooled = "writes of programs that waited for a node"
    case piecesLost = "batches of programs that lost a piece with the process of their node"
    case batchesLost = "batches that ended with the process of their node"
    case conditionsRefused = "batches refused because of another client state"
    case quotasRefused = "batches refused because their app would have too much"
    case held = "indexes held back or released again"
    case addressesHeard = "addresses that arrived"
    case stopped = "lives that went on after an end in order"
    case lasting = "devices that did not recover while others did"
    case differences = "planted differences that were found"
    case settledByNext = "processes that ended while a clear was left to be carried out"
    case cameLate = "devices that came back after another one had joined"
    case unreadable = "writes that could not be read"
    case handedTooLate = "activities that were withheld or over once their hand-over was stored"
    case clocksBehindBatches = "clocks set back behind batches"
    case quarantined = "writes over which batches were merged before they could be read"
    case restlessReached = "writes that arrived while writers never rested"
}

/// The number of times that each mark was reached.
package struct Marks: Sendable {
    private var counts: [Mark: Int] = [:]

    package init() {}

    package subscript(mark: Mark) -> Int {
        get { counts[mark] ?? 0 }
        set { counts[mark] = newValue }
    }

    package static func += (left: inout Marks, right: Marks) {
        for (mark, count) in right.counts { left[mark] += count }
    }

    /// Returns the marks that were never reached in this many worlds of a profile although they reach them for certain.
    package func missing(of profile: ProfileName, in worlds: Int, on store: StoreName) -> [Mark] {
        let reached = Set(profile.marks(in: worlds, on: store))
        return Mark.allCases.filter { reached.contains($0) && self[$0] == 0 }
    }
}

extension Marks: CustomStringConvertible {
    package var description: String {
        Mark.allCases.map { "\(self[$0]) \($0.rawValue)" }.joined(separator: ", ")
    }
}
