/// Every limit of the product, with its reason.
///
/// Tests assert how the limits relate, and pass shorter times.
package struct Limits: Equatable, Sendable {
    package init() {}

    // MARK: Fixed by version 1 of the protocol

    /// The largest body of a frame in bytes: a batch fits with room to spare, and a lying peer costs little memory.
    package static let frameBytes = 2 << 20
    /// The largest encoded content of a write in bytes: its domain and fields.
    ///
    /// No larger write can be made, and a larger one from a peer is quarantined. `Write.overheadBytes` bounds the rest
    /// of a write.
    package static let writeBytes = 512 << 10
    /// The largest activity that an app can make, in bytes: many times what Apple advises, and a few fit a frame.
    package static let activityBytes = 128 << 10
    /// The most current activities of one device that are listed, and the most bytes of their fields: nobody has this
    /// many windows and shells.
    ///
    /// A device begins no more activities than this. Another device's activities beyond the limit are kept and passed
    /// on, but neither read nor listed.
    package static let deviceActivities = 512
    package static let deviceActivitiesBytes = 4 << 20
    /// The most ended activities that are listed, and the most bytes of their fields; further ones are found only by
    /// their identifiers.
    package static let finishedActivities = 10_000
    package static let finishedActivitiesBytes = 16 << 20
    /// The most activities in one answer.
    package static let listedActivities = 1000
    /// The most databases of a lane that are kept after they were found damaged, or after a backup replaced them.
    package static let movedDatabases = 3
    /// How long such a database is kept.
    package static let movedDatabasesTime = Duration.seconds(90 * 86_400)
    /// The pause after which a running node looks for such databases again; it does so with its other upkeep.
    package var movedDatabasesPause = Duration.seconds(86_400)
    /// The deepest nesting of values; property lists in use on Apple's systems stay below ten.
    package static let nestingDepth = 32
    /// The most writes in a batch, so that no batch of a peer is too long a transaction.
    ///
    /// A sender need not count: `largestBatchBytes` and `largestRangeRecordBytes` keep it below this number.
    package static let batchWrites = 5120
    /// The most origins of one lane that a store claims; writes of further origins are stored, but not claimed.
    ///
    /// A machine that is started three times a day reaches the limit in fifteen years.
    package static let laneOrigins = 16384
    /// The most origins that a life follows; a later life may follow the rest.
    ///
    /// A life follows one life, and a second one if its device had lost its claims when the previous life began.
    /// Followed lives are held in memory, so a malicious member must not be able to create many.
    package static let followedOrigins = 8
    /// The most origins that a vector may name, so that it fits a frame beside a full batch.
    package static let vectorOrigins = 2 * laneOrigins
    /// The longest name of a device, in bytes of UTF-8; also the longest that a certificate's name holds.
    package static let nameBytes = 64

    /// The most bytes of writes that a batch gathers before its last write is added, whatever the setting.
    package static let largestBatchBytes = 256 << 10
    /// The most bytes of batches in flight without an acknowledgement.
    ///
    /// With such a window, the receiver's store commits large groups, and the next group has arrived when one is
    /// stored. A sender checks the window before it reads the store, and may read both lanes at once, so one batch of
    /// each lane may exceed it.
    package static let windowBytes = 4 << 20

    /// The most bytes of writes of one record inside a range of a snapshot, whatever the setting.
    package static let largestRangeRecordBytes = 256 << 10
    /// The most bytes of writes ahead of a range that are remembered until the range comes.
    package static let aheadBytes = 8 << 20
    /// The most devices whose reports are kept and sent.
    package static let reportingDevices = 256
    /// The most tombstones that are garbage-collected in one transaction.
    package static let collectedTombstones = 1000

    /// The number of state checks that a side may send beyond the number of batches in both directions.
    package static let checksBeyondBatches = 64

    /// The most unanswered requests to continue in one direction of a session.
    package static let continuingRequests = 64

    /// The fewest bytes that a batch counts for, because an empty batch is work too.
    package static let leastBatchBytes = 512

    /// The most records of a lane that can be quarantined: more than isolated faults cause.
    ///
    /// The node stops listening to a peer that sends more.
    package static let quarantinedWrites = 1024
    /// The most records and statements with wrong signatures that a peer may send in a batch, and in total before it is
    /// refused for a while: no honest device sends any, because none is stored or passed on.
    package static let voidWrites = 64

    /// The most messages in a row that neither contain anything new nor acknowledge anything.
    ///
    /// An honest peer sends a few: it passes on what this device has just received from elsewhere, or sends the place
    /// to continue from after skipping a thousand writes. To reach the limit in this way takes millions of writes.
    package static let idleMessages = 4096
    /// The size from which a batch counts as news, because it costs its sender enough; full batches are larger.
    package static let idleBytes = 16 << 10
    /// The most requests to continue from a peer within `continuingPeriod`: far more than a person makes, and few
    /// enough that the writes that they cause do not burden the account.
    package static let continuingMost = 1024
    package static let continuingPeriod = Duration.seconds(60)

    /// The most bytes of a query in Core Spotlight's language: a thousand identifiers fit.
    package static let queryBytes = 64 << 10
    /// The most levels of parentheses and `!` in a query; no person or app needs ten.
    package static let queryDepth = 64
    /// The most comparisons in a query, with the words and wildcards of their texts.
    ///
    /// For each of them a value is looked through once, so this bounds the work for one item.
    package static let queryParts = 1024
    /// The most bytes of one text in a query.
    package static let queryTextBytes = 1024

    /// The most items that one search finds; with their displayed texts they fit a frame.
    package static let foundItems = 100
    /// The most results of a search in pages that come in order, because all of them are known before the first page.
    package static let listedResults = 10_000
    /// The most results of a search in pages that come as they are found.
    package static let streamedResults = 100_000
    /// The most searches in pages that one connection may have begun, and the most of all connections: for each of them
    /// a node keeps some megabytes at most.
    package static let openSearches = 8
    package static let openSearchesOfAll = 32
    /// The most attributes that the results of a search in pages have.
    package static let fetchedAttributes = 128
    /// The most indexes about which a connection waits for requests to index again.
    package static let watchedIndexes = 4096
    /// The most further queries that results must meet.
    package static let filterQueries = 32

    /// The most bytes of a text that its meaning is computed from: models read no further.
    package static let meaningBytes = 2048
    /// The most vectors that a search compares, those of the items that arrived last: about ten milliseconds of work.
    package static let searchedVectors = 100_000

    /// The most suggestions for what a person has typed.
    package static let suggestions = 20
    /// The most reasons of one suggested activity.
    package static let suggestionReasons = 32
    /// The most bytes of a donated action, and of a donation's identifier or group: many times what an action needs.
    package static let donationBytes = 16 << 10
    package static let donationNameBytes = 512
    /// The most uses of one app's donated actions that are remembered: an app may donate actions that the person did
    /// not do.
    package static let donatedUses = 128
    /// The most suggestions at a time that are one app's donated actions.
    package static let donatedSuggestions = 3
    /// The most typed parts of one suggestion; a search has no more words.
    package static let suggestionRanges = 32
    /// The most searches of the person that are remembered, and the most bytes of one search; a longer title is not
    /// suggested either.
    package static let rememberedSearches = 200
    package static let rememberedSearchBytes = 256

    /// The largest request of an app that does not change an index, in bytes: the largest activity, and names.
    package static let requestBytes = 192 << 10
    /// The most bytes of index changes that a node decodes at once; the rest of a larger request stays encoded.
    package static let indexPortionBytes = 64 << 10

    /// The most changes in one app's batch, the most of them that may be clears, and the most batches that one
    /// connection may have begun.
    ///
    /// Clears take effect in the transaction that ends the batch, which has to be short.
    package static let batchDrafts = 16 << 20
    package static let batchClears = 1000
    /// The most scopes of one app that may have a clear when an app here makes another one.
    ///
    /// A clear stays until every device has it. An app that clears many groups each day stays far below the limit while
    /// a device is away for a month.
    package static let clearsPerApp = 20_000
    package static let openBatches = 16

    /// The most bytes of an app's changes that are kept on the disk while no node is running, and the most that wait in
    /// memory for a node that runs.
    package static let spoolBytes = 64 << 20
    package static let waitingIndexBytes = 128 << 20

    /// The most bytes that one app may register to declare the activities that it continues, and the most bytes of all
    /// registrations together, which fit an answer.
    package static let registrationBytes = 64 << 10
    package static let registrationsBytes = 1 << 20
    /// The most bytes in one frame of a continuation stream: more urgent messages wait behind a few such frames only.
    package static let streamDataBytes = 64 << 10
    /// The most unread bytes of a stream in one direction before any byte was read.
    package static let streamWindowBytes = 256 << 10
    /// The most unread bytes once some were read: enough for the bytes that are in flight until credit arrives.
    package static let streamWideWindowBytes = 1 << 20
    /// The most streams of a link that may have the wide window.
    package static let wideStreams = 8
    /// The most bytes that a side may allow the other to send at once, however much memory it has.
    package static let streamCreditMost = 1 << 30
    /// The most unfinished streams that each side of a link may have opened.
    package static let linkStreams = 32
    /// The bytes of a stream that this program puts in a frame: with its heads, the frame fills TLS records exactly.
    package static let streamFrameBytes = streamDataBytes - 32
    /// The most bytes of a stream that wait to be sent before its app is held back.
    package static let streamBacklogBytes = 256 << 10

    /// The most addresses of one device that are sent, kept and tried.
    package static let deviceAddresses = 8
    /// The longest address in bytes: a host name has at most 253, and a port follows.
    package static let addressBytes = 300
    /// The most addresses of one device that were found on local networks and are tried: a machine announces itself on
    /// each of its interfaces.
    ///
    /// Forged announcements can't displace addresses from other sources.
    package static let foundAddresses = 8
    /// The most connections that are tried in one round for one device, however many addresses its names have.
    package static let attemptsPerRound = 32
    /// The most invitations on a local network that a joiner tries with one code; each gets one guess at the code.
    package static let triedInvitations = 8
    /// The most devices that one owner makes members, those that it admitted first: many times what a person has.
    package static let ownerDevices = 256
    /// The most devices of one owner whose admissions are held at all, and verified when a process begins.
    ///
    /// Admissions beyond `ownerDevices` make members only if the owner is revoked by a revocation that keeps the
    /// devices.
    package static let ownerAdmissions = 1024
    /// The most revocations by one owner that are held about devices that no owner admitted: a revocation may arrive
    /// before the admission, but a thief of the owner's key can make up any number.
    package static let strayRevocations = 1024
    /// The most statements that a process adds to its roster before it decides which of them the next process skips.
    package static let statementsTaken = 256
    /// The most certificates of one device by one owner that are held: those that are valid longest.
    package static let deviceAdmissions = 32
    /// The most records that are held of devices that no statement names: a record may arrive before the statement.
    package static let deviceRecords = 512
    /// The most devices whose addresses are in one message, and the most devices from one peer's messages whose
    /// addresses are kept while the roster does not list them.
    package static let toldDevices = 256

    // MARK: Settings

    /// The time that an app has to accept a stream that was requested from it.
    package var streamTakingTime = Duration.seconds(5)
    /// The time that a device waits for the answer to a stream request: the app's time, and some for the network.
    package var streamOpeningTime = Duration.seconds(10)
    /// The most bytes waiting for a connection to another device; beyond that, no more stream data is added.
    package var streamPauseBytes = 64 << 10
    /// How long a system may leave a write in memory, where a power failure loses it; some laptops write this seldom.
    package var unsyncedTime = Duration.seconds(600)
    /// The pause before a node checks again whether a disk that is full or read-only has changed.
    package var diskPause = Duration.seconds(2)
    /// The pause after a disk error before unfinished work is retried.
    package var settlingTime = Duration.seconds(30)
    /// The shortest and longest pause before activity changes that were not stored or not sent are retried.
    package var retryPause = Duration.seconds(1)...Duration.seconds(30)
    /// The time between two lines in the log that count what a disk refuses.
    package var refusalLogTime = Duration.seconds(60)
    /// The number of records that unfinished batches and clears process at once while others wait for the disk.
    package var settledRecords = 25
    /// The factor by which `settledRecords` grows while nothing else waits for the disk.
    package static let settledMore = 100
    /// The duration of a step above which the next step is smaller; below two thirds of it, the next is larger.
    package var settlingStep = Duration.milliseconds(250)
    /// The largest size in bytes of a lane's SQLite write-ahead log: small compared with the disk, and quickly read
    /// when a node starts.
    ///
    /// At a quarter of this size, searches are held back until the log is truncated, which leaves room for one
    /// transaction.
    package var logBytes = 64 << 20
    /// The time that a client waits for the digest before it learns what the digest is waiting for.
    package var digestSilence = Duration.milliseconds(500)

    /// The most lost writes of a lane that are adopted at once.
    package var adoptedWrites = 1000
    /// The time that a write must be known to be lost before it is adopted: longer than a transaction is on its way
    /// through another device.
    package var adoptingTime = Duration.seconds(10)
    /// Whether a node garbage-collects the tombstones that every device has.
    package var collectsTombstones = true
    /// The bytes of writes that a batch gathers before it is sent: few enough that an activity queued after it waits
    /// only briefly for the other side to read the batch.
    package var batchBytes = 64 << 10
    /// The bytes of unacknowledged batches that this side keeps in flight; never more than `windowBytes`.
    package var sentBytes = Limits.windowBytes
    /// The part of `sentBytes` that index batches may fill, so that an activity never waits for their acknowledgement.
    package var sentIndexBytes: Int { max(sentBytes / 2, 1) }
    /// The most bytes of one record's writes inside a range of a snapshot; the writes of larger records go ahead of it.
    package var rangeRecordBytes = Limits.largestRangeRecordBytes
    /// The most origins of a vector that a first message does not divide into parts.
    package var undividedOrigins = 64
    /// The time that a peer may take from the connection to the end of the opening messages.
    package var openingTime = Duration.seconds(10)
    /// The time that a peer may acknowledge nothing of the data in flight to it: long enough for the largest batch on a
    /// link of five kilobytes a second.
    package var acknowledgingTime = Duration.seconds(120)
    /// The time that a peer may be silent, while it owes acknowledgements, until it is sent a ping, and the time that
    /// it may then take to answer: together less than the ten seconds that a person waits, and more than a busy machine
    /// or a few lost packets take.
    package var pingPause = Duration.seconds(3)
    package var pongTime = Duration.seconds(6)
    /// The time after which a connection with a full backlog is closed if the other end acknowledges no further byte.
    package var readingTime = Duration.seconds(40)
    /// The pause after a change of other devices' activities before the unlisted activities are counted.
    package var countingPause = Duration.seconds(2)
    /// How long an app must continue with a thing before that counts as a use for suggestions.
    package var usePause = Duration.seconds(5)
    /// The long-term interval between changes of an activity that are sent: thirty times a second is as fast as anyone
    /// can see, and bounds what an app that changes without pause costs all devices.
    package var publishingPause = Duration.milliseconds(33)
    /// The number of changes of an activity that are sent at once if none were sent lately: enough that nothing waits
    /// if an app changes at about that rate, or if the machine is busy with other work.
    package var publishedAtOnce = 5
    /// The time that a device waits for the fresh state of an activity before it uses the replicated one.
    package var continuingTime = Duration.seconds(1)
    /// The time that an app may take to update an activity that is being continued elsewhere: short enough that its
    /// node's answer arrives before the other device stops waiting.
    package var savingTime = Duration.milliseconds(700)
    /// The time that an app may take to confirm that it opens what a person chose; it is longer than `savingTime`,
    /// because the app may have been busy.
    package var appOpeningTime = Duration.seconds(2)
    /// The pause between two searches for watchers: four searches a second, whatever the number of watchers.
    package var watchedSearchPause = Duration.milliseconds(250)
    /// The time after which a watched search is repeated although nothing has changed and no result has expired: time
    /// also changes ranks, and an activity is no longer found once the item that it is about expires.
    package var watchedSearchRefresh = Duration.seconds(60)
    /// The time that a search waits for the meaning of its words, and the pause after a change before items without a
    /// vector are looked for.
    package var meaningTime = Duration.milliseconds(50)
    package var meaningPause = Duration.seconds(1)
    /// The time after which a search in pages ends if nobody asks for its next page.
    package var openSearchTime = Duration.seconds(60)
    /// The most instances of an app that are asked, one after the other, to open something.
    package static let askedInstances = 3
    /// The lifetime of a device's certificate; an owner renews it automatically when a third of the time is left.
    package var certificateTime = Duration.seconds(365 * 86_400)
    /// The interval between two checks of certificate ages: short compared with a third of their lifetime.
    package var renewalTime = Duration.seconds(86_400)
    /// The most renewals of one device by one owner certificate: twice what an owner's ten years need.
    ///
    /// A clock that is wrong again and again can cause no more statements than this.
    package var renewalsMost = Limits.deviceAdmissions
    /// The time that a leaving device waits for another to confirm its departure.
    package var leavingTime = Duration.seconds(10)
    /// The time that an invitation stays open.
    package var invitationTime = Duration.seconds(600)
    /// The most places of a lane that are skipped before the place to continue from next time is sent to the peer.
    ///
    /// It is also the most places that two devices in step read in vain when they reconnect, and one message covers all
    /// of them.
    package var placesPassedOver: UInt64 = 1000
    /// The delay after a change before a device reports what it has stored durably.
    package var reportTime = Duration.seconds(30)
    /// How long a change that a peer sent early, before its disk had stored it, waits for the claim, so that both are
    /// stored together.
    package var claimTime = Duration.milliseconds(20)
    /// The time without requests after which the memory of a database's page cache is released.
    package var restPause = Duration.seconds(2)
    /// The time that a clock must run evenly before records that have expired by it are swept.
    package var clockProvingTime = Duration.seconds(3600)
    /// The shortest pause between two sweeps of expired records.
    package var sweepPause = Duration.seconds(6 * 3600)
    /// The time after which the text of a removed item is gone from the files of the store.
    ///
    /// The full-text table is rewritten once in half of this time at most, and only if something was removed.
    package var erasingTime = Duration.seconds(3600)
    /// The longest time between two rewritings if texts were only replaced, which happens much more often than removal.
    package var replacedErasingTime = Duration.seconds(86_400)
    /// The pause before a store that was just opened is searched for text to erase, or a log that is being read is
    /// emptied.
    package var erasingPause = Duration.seconds(60)
    /// The delay after a change before two nodes in step compare their state again.
    package var checkTime = Duration.seconds(300)
    /// The first and the longest pause between two attempts to reach a device.
    package var redialTime = Duration.milliseconds(250)...Duration.seconds(30)
    /// The time that one attempt to connect may take.
    package var connectingTime = Duration.seconds(10)
    /// The pause between the beginnings of two attempts to connect to one device: a better address gets a head start,
    /// and an address that does not answer delays the next attempt only by this.
    package var attemptPause = Duration.milliseconds(100)
    /// The first and the longest pause before an address that was found on a local network is tried again.
    ///
    /// Anybody on the network can announce an address, so it is given up sooner than an address that the device itself
    /// sent.
    package var foundPause = Duration.seconds(1)...Duration.seconds(300)
    /// The addresses found for one device that are tried at once when they are announced; further ones wait for the
    /// next round.
    package var foundDialsAtOnce = 8
    /// The time that a device keeps its names in announcements on a network; each period has another length.
    ///
    /// A change of the network changes them, too, so that a device can't be tracked from one network to another. On one
    /// network, such short-lived names hardly allow tracking. Each change wakes every listener with four packets.
    package var announcementPeriod = Duration.seconds(1200)...Duration.seconds(2400)
    /// The most announcements of others that are kept for each network.
    package var announcements = 256
    /// The time that a joiner looks for an invitation on local networks.
    package var searchingTime = Duration.seconds(10)
    /// The time within which a connected device must answer after this machine woke up or its network changed.
    package var probingTime = Duration.milliseconds(4500)
    /// The time that a name service, and then each address, may take when a person asks whether a device can be
    /// reached: a lost packet is re-sent twice within it.
    package var addressProbeTime = Duration.seconds(5)
    /// The most addresses that an account tries at once when a person asks, and the most that may wait: those of eight
    /// devices.
    package var probes = 6
    package var waitingProbes = 8 * Limits.deviceAddresses
    /// The most addresses of one host name that are tried for a person.
    package var probedAddresses = 4
    /// The most open connections whose peers are not known yet, in total and from one IPv4 address or one IPv6 network
    /// (64 bits).
    ///
    /// Beyond the limit, the oldest connection makes room for the newest: a device needs about a second, while
    /// connections that only occupy a place stay as long as they may. Handshakes that have begun keep up to half of the
    /// places, because work went into them.
    package var strangers = 256
    package var strangersPerSource = 64
    /// The connections accepted in a second, and at once after a quiet period; the rest wait in the kernel.
    package var acceptsPerSecond = 1000
    package var acceptsAtOnce = 256
    /// The handshakes begun in a second, and at once; they cost most of the processor time of a connection.
    ///
    /// An account of 256 devices is back within two seconds. A client that does not know the account gets no handshake.
    package var handshakesPerSecond = 200
    package var handshakesAtOnce = 64
    /// The share of the loop's thread in each second that handshakes with unknown peers may take, and may take at once
    /// after a quiet period.
    ///
    /// Connected members, and commands that are run here, always have the rest.
    package var handshakeShare = 0.25
    package var handshakeBurst = Duration.milliseconds(100)
    /// How many refused connections are logged in a minute at most; further ones are only counted.
    package var toldRefusals = 60
    /// The most apps and commands that may be connected at once.
    package var localConnections = 256
    /// The most unanswered requests of one app or command before the node stops reading its requests.
    package var localRequests = 16
    /// The connections beyond that limit for commands that ask for the node's status; the oldest makes room for the
    /// newest.
    package var localSpareConnections = 16
    /// The most bytes of large frames in transit from all apps and commands together, and the most that their requests
    /// may take until they are answered and the answers are read.
    ///
    /// An app that would exceed them waits.
    package var localFrameBytes = 8 << 20
    package var localRequestBytes = 16 << 20
    /// The time that a large frame may take to arrive, and an answer to be read, while other clients wait for the
    /// memory.
    package var localHoldingTime = Duration.seconds(5)
    /// The most connections of one device at once: the one in use, and those that are not known to be dead yet.
    package var deviceLinks = 8
    /// The connections that one device may make in a second, and at once; further ones are refused.
    ///
    /// Devices that dial each other make two at a time, and a device on an unsteady network a few in a minute.
    package var connectionsPerSecond = 2
    package var connectionsAtOnce = 256
    /// How long a device that sent too many records with wrong signatures is refused.
    package var voidPause = Duration.seconds(600)
    /// The shortest time between two lines of log about such refusals for one device.
    package var refusalLogPause = Duration.seconds(60)
    /// The most other devices that the node tries to reach.
    package var devices = 256
    /// The most bytes waiting for a slow reader before the node stops reading data that would add to them.
    package var backlogBytes = 2 << 20
    /// The most bytes that can ever wait for a slow reader: the node reads a full window before it checks the backlog.
    package var backlogMost: Int {
        backlogBytes + sentBytes + Lane.allCases.count * Self.frameBytes
    }
    /// The time that a closing connection may take to send its last bytes.
    package var closingTime = Duration.seconds(2)
}
