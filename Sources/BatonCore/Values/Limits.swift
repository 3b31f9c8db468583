/// All limits of the product, each with its reason.
///
/// Tests check the relations between the limits, and use shorter times.
package struct Limits: Equatable, Sendable {
    package init() {}

    // MARK: Fixed by version 1 of the protocol

    /// The maximum size of a frame's body in bytes.
    ///
    /// A batch fits easily, and a lying peer can't use much memory.
    package static let frameBytes = 2 << 20
    /// The maximum size of a write's encoded content in bytes, which is its domain and its fields.
    ///
    /// No device can make a larger write, and a larger one from a peer is quarantined. `Write.overheadBytes` limits the
    /// rest of a write.
    package static let writeBytes = 512 << 10
    /// The maximum size of an activity that an app can make, in bytes.
    ///
    /// It is many times the size that Apple recommends, and several such activities fit into a frame.
    package static let activityBytes = 128 << 10
    /// The largest number of current activities of one device that are listed, and the maximum size of their fields in
    /// bytes.
    ///
    /// Nobody has this many windows and shells.
    ///
    /// A device can't begin more activities than this. If another device has more, the further ones are stored and
    /// passed on, but neither read nor listed.
    package static let deviceActivities = 512
    package static let deviceActivitiesBytes = 4 << 20
    /// The largest number of ended activities that are listed, and the maximum size of their fields in bytes.
    ///
    /// Further ones are found only by their identifiers.
    package static let finishedActivities = 10_000
    package static let finishedActivitiesBytes = 16 << 20
    /// The largest number of activities in one answer.
    package static let listedActivities = 1000
    /// The largest number of moved databases of a lane that are kept.
    ///
    /// These are databases that were found damaged, or that a backup replaced.
    package static let movedDatabases = 3
    /// The time for which a moved database is kept.
    package static let movedDatabasesTime = Duration.seconds(90 * 86_400)
    /// The pause after which a running node looks again for moved databases to delete.
    package var movedDatabasesPause = Duration.seconds(86_400)
    /// The maximum depth of nested values.
    ///
    /// Property lists on Apple's systems have fewer than ten levels.
    package static let nestingDepth = 32
    /// The largest number of writes in a batch, so that a batch of a peer can't cause too long a transaction.
    ///
    /// A sender need not count its writes. `largestBatchBytes` and `largestRangeRecordBytes` keep their number below
    /// this limit.
    package static let batchWrites = 5120
    /// The largest number of origins that a store claims in one lane.
    ///
    /// Writes of further origins are stored, but not claimed.
    ///
    /// A machine that is started three times a day reaches the limit in fifteen years.
    package static let laneOrigins = 16384
    /// The largest number of origins that a life follows.
    ///
    /// If there are more, a later life may follow the rest.
    ///
    /// Usually, a life follows one life. It follows a second one if its device had lost its claims when the previous
    /// life began. The followed lives are kept in memory, so a malicious member must not be able to create many of
    /// them.
    package static let followedOrigins = 8
    /// The largest number of origins in a vector.
    ///
    /// With this number, the vector and a full batch fit into one frame.
    package static let vectorOrigins = 2 * laneOrigins
    /// The maximum length of a device's name in bytes of UTF-8.
    ///
    /// A name in a certificate has the same limit.
    package static let nameBytes = 64

    /// The maximum size of the writes in a batch before the last write is added, in bytes.
    ///
    /// No setting can exceed it.
    package static let largestBatchBytes = 256 << 10
    /// The maximum size of the batches that are in flight without an acknowledgement, in bytes.
    ///
    /// With a window of this size, the receiver's store commits large groups, and the next group arrives while one is
    /// stored. A sender checks the window before it reads the store, and may read both lanes at once. So one batch of
    /// each lane may exceed the window.
    package static let windowBytes = 4 << 20

    /// The maximum size of one record's writes in a range of a snapshot, in bytes.
    ///
    /// No setting can exceed it.
    package static let largestRangeRecordBytes = 256 << 10
    /// The maximum size in bytes of the writes that arrived ahead of a range and are remembered until the range
    /// arrives.
    package static let aheadBytes = 8 << 20
    /// The largest number of devices whose reports are kept and sent.
    package static let reportingDevices = 256
    /// The largest number of tombstones that are garbage-collected in one transaction.
    package static let collectedTombstones = 1000

    /// The number of state checks that each side may send in addition to one for each batch in either direction.
    package static let checksBeyondBatches = 64

    /// The largest number of unanswered requests to continue in each direction of a session.
    package static let continuingRequests = 64

    /// The smallest number of bytes that a batch counts as.
    ///
    /// Even an empty batch causes work.
    package static let leastBatchBytes = 512

    /// The largest number of quarantined writes in a lane.
    ///
    /// It is more than isolated faults cause.
    ///
    /// If a peer sends more of them, the node ends the session with it.
    package static let quarantinedWrites = 1024
    /// The largest number of records and statements with wrong signatures that a peer may send in a batch, and in total
    /// before it is refused for a while.
    ///
    /// No honest device sends any, because such writes are neither stored nor passed on.
    package static let voidWrites = 64

    /// The largest number of consecutive messages from a peer that neither contain anything new nor acknowledge
    /// anything.
    ///
    /// An honest peer sends a few such messages. It passes on writes that this device has just received from elsewhere,
    /// or it sends a new resume token after it skipped a thousand writes. To reach the limit in this way takes millions
    /// of writes.
    package static let idleMessages = 4096
    /// The size in bytes from which a batch always counts as new, because it costs its sender enough.
    ///
    /// Full batches are larger.
    package static let idleBytes = 16 << 10
    /// The largest number of requests to continue from one peer within `continuingPeriod`.
    ///
    /// A person makes far fewer. The writes that this number of requests cause do not burden the account.
    package static let continuingMost = 1024
    package static let continuingPeriod = Duration.seconds(60)

    /// The maximum length of a query in Core Spotlight's language, in bytes.
    ///
    /// A thousand identifiers fit.
    package static let queryBytes = 64 << 10
    /// The maximum number of nested levels of parentheses and `!` in a query.
    ///
    /// No person or app needs ten.
    package static let queryDepth = 64
    /// The largest number of parts in a query: its comparisons, and the words and wildcards in their texts.
    ///
    /// A value is searched once for each part, so this limits the work for one item.
    package static let queryParts = 1024
    /// The maximum length of one text in a query, in bytes.
    package static let queryTextBytes = 1024

    /// The largest number of items that one search returns.
    ///
    /// With their displayed texts, they fit into a frame.
    package static let foundItems = 100
    /// The largest number of results of a paged search that returns them in order.
    ///
    /// All of these results are found before the first page is returned.
    package static let listedResults = 10_000
    /// The largest number of results of a paged search that returns them as it finds them.
    package static let streamedResults = 100_000
    /// The largest number of open paged searches of one connection, and of all connections together.
    ///
    /// For each of them, a node needs at most a few megabytes.
    package static let openSearches = 8
    package static let openSearchesOfAll = 32
    /// The largest number of attributes in the results of a paged search.
    package static let fetchedAttributes = 128
    /// The largest number of indexes for which a connection waits for requests to index again.
    package static let watchedIndexes = 4096
    /// The largest number of protections of indexes that a search may name.
    package static let indexProtections = 16
    /// The largest number of additional queries that the results of a search must match.
    package static let filterQueries = 32

    /// The maximum number of bytes of a text from which its vector of meanings is computed.
    ///
    /// Models read no further.
    package static let meaningBytes = 2048
    /// The largest number of vectors that a search compares.
    ///
    /// If there are more, it compares those of the items that arrived last. This takes about ten milliseconds.
    package static let searchedVectors = 100_000

    /// The largest number of suggestions for the text that a person has typed.
    package static let suggestions = 20
    /// The largest number of reasons for one suggested activity.
    package static let suggestionReasons = 32
    /// The maximum size in bytes of a donated action, and of a donation's identifier or group.
    ///
    /// It is many times what an action needs.
    package static let donationBytes = 16 << 10
    package static let donationNameBytes = 512
    /// The largest number of uses of one app's donated actions that are remembered.
    ///
    /// The number is limited because an app may donate actions that the person did not do.
    package static let donatedUses = 128
    /// The largest number of donated actions of one app among the suggestions that are shown at a time.
    package static let donatedSuggestions = 3
    /// The largest number of typed parts in one suggestion.
    ///
    /// A search has no more words than this.
    package static let suggestionRanges = 32
    /// The largest number of remembered searches, and the maximum length of one of them in bytes.
    ///
    /// A longer title is not suggested either.
    package static let rememberedSearches = 200
    package static let rememberedSearchBytes = 256

    /// The maximum size in bytes of the fields that describe a type of entities, and the largest number of types that
    /// an app can describe.
    ///
    /// It is enough for 200 properties with long names.
    package static let entityTypeBytes = 32 << 10
    package static let appEntityTypes = 200
    /// The largest number of types of entities in one answer, and the maximum size of their fields in bytes.
    ///
    /// Further types, which only faulty or malicious members describe, are stored and passed on, but not listed.
    package static let listedEntityTypes = 2000
    package static let listedEntityTypesBytes = 1 << 20

    /// The maximum size in bytes of an app's request that does not change an index.
    ///
    /// It has room for the largest activity and for names.
    package static let requestBytes = 192 << 10
    /// The maximum size of index changes that a node decodes at a time, in bytes.
    ///
    /// The rest of a larger request stays encoded until then.
    package static let indexPortionBytes = 64 << 10

    /// The largest number of changes in one batch of an app, the largest number of clears among them, and the largest
    /// number of batches that one connection may have begun.
    ///
    /// Clears have their effect in the transaction that ends the batch. This transaction must be short.
    package static let batchDrafts = 16 << 20
    package static let batchClears = 1000
    /// The largest number of scopes of one app that may have a clear, when an app on this device makes another clear.
    ///
    /// A clear is kept until every device has it. If a device is away for a month, an app that clears many groups each
    /// day is still far below the limit.
    package static let clearsPerApp = 20_000
    package static let openBatches = 16

    /// The maximum size in bytes of an app's changes that are kept on the disk while no node runs, and of those that
    /// wait in memory for a running node.
    package static let spoolBytes = 64 << 20
    package static let waitingIndexBytes = 128 << 20

    /// The maximum size in bytes of one app's registration, which declares the activities that it continues, and of all
    /// registrations together.
    ///
    /// All registrations fit into one answer.
    package static let registrationBytes = 64 << 10
    package static let registrationsBytes = 1 << 20
    /// The maximum number of data bytes in one frame of a continuation stream.
    ///
    /// It is small, because more urgent messages may have to wait behind a few such frames.
    package static let streamDataBytes = 64 << 10
    /// The maximum number of unread bytes of a stream in one direction, before the app has read any byte.
    package static let streamWindowBytes = 256 << 10
    /// The maximum number of unread bytes after the app has read some.
    ///
    /// It is enough for the bytes that are in flight until credit arrives.
    package static let streamWideWindowBytes = 1 << 20
    /// The largest number of streams of a link that may have the large window.
    package static let wideStreams = 8
    /// The maximum credit in bytes that one side may give to the other, however much memory it has.
    package static let streamCreditMost = 1 << 30
    /// The largest number of unfinished streams that each side of a link may have requested.
    package static let linkStreams = 32
    /// The number of bytes of a stream that this program puts into a frame.
    ///
    /// Together with its headers, the frame fills TLS records exactly.
    package static let streamFrameBytes = streamDataBytes - 32
    /// The number of bytes of a stream that may wait to be sent before its app must stop sending.
    package static let streamBacklogBytes = 256 << 10

    /// The largest number of addresses of one device that are sent, kept and tried.
    package static let deviceAddresses = 8
    /// The maximum length of an address in bytes.
    ///
    /// A host name has at most 253 bytes, and a port follows.
    package static let addressBytes = 300
    /// The largest number of addresses of one device that are tried because they were found on local networks.
    ///
    /// A machine announces itself on each of its interfaces.
    ///
    /// Because of this limit, forged announcements can't displace addresses from other sources.
    package static let foundAddresses = 8
    /// The largest number of connections that are tried for one device in one round, however many addresses its host
    /// names have.
    package static let attemptsPerRound = 32
    /// The largest number of invitations on a local network that a joiner tries with one code.
    ///
    /// Each of the inviters gets one guess at the code.
    package static let triedInvitations = 8
    /// The largest number of devices that one owner can make members.
    ///
    /// The devices that it admitted first count. This is many times what a person has.
    package static let ownerDevices = 256
    /// The largest number of devices of one owner whose admissions are kept in memory, and verified when the process
    /// starts.
    ///
    /// A device beyond `ownerDevices` becomes a member only if the owner is revoked and the revocation keeps the
    /// device.
    package static let ownerAdmissions = 1024
    /// The largest number of revocations by one owner that are kept in memory although no owner admitted the revoked
    /// device.
    ///
    /// A revocation may arrive before the admission. But a thief of the owner's key can invent any number of devices.
    package static let strayRevocations = 1024
    /// The largest number of statements that a process adds to its roster before it decides which of them are skipped
    /// at the next start.
    package static let statementsTaken = 256
    /// The largest number of certificates by one owner that are kept for one device.
    ///
    /// Those that are valid longest are kept.
    package static let deviceAdmissions = 32
    /// The largest number of records that are kept in memory for devices that no statement names.
    ///
    /// A record may arrive before the statement.
    package static let deviceRecords = 512
    /// The largest number of devices whose addresses are in one message.
    ///
    /// It is also the largest number of devices that are not in the roster and whose addresses are kept from one peer's
    /// messages.
    package static let toldDevices = 256

    // MARK: Settings

    /// The time in which an app must accept a stream that a peer requested.
    package var streamTakingTime = Duration.seconds(5)
    /// The time that a device waits for the answer to a stream request.
    ///
    /// It includes the app's time and some time for the network.
    package var streamOpeningTime = Duration.seconds(10)
    /// The number of bytes that may wait for a connection to another device before no more stream data is added.
    package var streamPauseBytes = 64 << 10
    /// The time for which a system may leave a write in memory, where a power failure loses it.
    ///
    /// Some laptops write to the disk this rarely.
    package var unsyncedTime = Duration.seconds(600)
    /// The pause before a node checks again whether a full or read-only disk can be written.
    package var diskPause = Duration.seconds(2)
    /// The pause after a disk error before the unfinished work of settling is retried.
    package var settlingTime = Duration.seconds(30)
    /// The shortest and the longest pause before the node retries changes of activities that could not be stored or
    /// sent.
    package var retryPause = Duration.seconds(1)...Duration.seconds(30)
    /// The time between two lines in the log that count the writes that a disk refused.
    package var refusalLogTime = Duration.seconds(60)
    /// The number of records that one step of settling processes while other work waits for the disk.
    package var settledRecords = 25
    /// The factor by which `settledRecords` grows while no other work waits for the disk.
    package static let settledMore = 100
    /// The duration of a step of settling above which the next step is made smaller.
    ///
    /// If a step takes less than two thirds of it, the next step is made larger.
    package var settlingStep = Duration.milliseconds(250)
    /// The maximum size of a lane's SQLite write-ahead log in bytes.
    ///
    /// It is small compared with the disk, and is read quickly when a node starts.
    ///
    /// When the log has a quarter of this size, searches are held back until it is truncated. This leaves room for one
    /// transaction.
    package var logBytes = 64 << 20
    /// The time that a client waits for the digest before it is told why the digest is delayed.
    package var digestSilence = Duration.milliseconds(500)

    /// The largest number of lost writes of a lane that are adopted at a time.
    package var adoptedWrites = 1000
    /// The time for which a write must be known to be lost before it is adopted.
    ///
    /// It is longer than a transaction needs to arrive through another device.
    package var adoptingTime = Duration.seconds(10)
    /// Whether a node garbage-collects a tombstone when all devices have it.
    package var collectsTombstones = true
    /// The number of bytes of writes that are collected for a batch before it is sent.
    ///
    /// It is small, so that an activity behind a batch waits only briefly while the other side reads the batch.
    package var batchBytes = 64 << 10
    /// The number of bytes of unacknowledged batches that this side keeps in flight.
    ///
    /// It is never more than `windowBytes`.
    package var sentBytes = Limits.windowBytes
    /// The number of bytes of `sentBytes` that index batches may use.
    ///
    /// The rest is for activities, so an activity never waits until index batches are acknowledged.
    package var sentIndexBytes: Int { max(sentBytes / 2, 1) }
    /// The maximum size of one record's writes in a range of a snapshot, in bytes.
    ///
    /// The writes of a larger record are sent before the range.
    package var rangeRecordBytes = Limits.largestRangeRecordBytes
    /// The largest number of origins in a vector for which the first message contains no parts.
    package var undividedOrigins = 64
    /// The time that a peer may take from the start of the connection until the end of the opening messages.
    package var openingTime = Duration.seconds(10)
    /// The time for which a peer may acknowledge none of the data that is in flight to it.
    ///
    /// It is enough for the largest batch on a link of five kilobytes a second.
    package var acknowledgingTime = Duration.seconds(120)
    /// The time after which a silent peer that owes acknowledgements is sent a ping, and the time in which the peer
    /// must then answer.
    ///
    /// Together, they are shorter than the ten seconds that a person waits. They are longer than a busy machine or a
    /// few lost packets delay an answer.
    package var pingPause = Duration.seconds(3)
    package var pongTime = Duration.seconds(6)
    /// The time after which a connection with a full backlog is closed, if the other end has not acknowledged another
    /// byte.
    package var readingTime = Duration.seconds(40)
    /// The pause after a change of other devices' activities, before the node counts the activities that it does not
    /// list.
    package var countingPause = Duration.seconds(2)
    /// The time for which an app must continue with a thing before this counts as a use for suggestions.
    package var usePause = Duration.seconds(5)
    /// The shortest average interval between the changes of an activity that are sent.
    ///
    /// Nobody can see more than thirty changes a second. The limit also bounds what an app costs all devices if it
    /// changes without pause.
    package var publishingPause = Duration.milliseconds(33)
    /// The number of changes of an activity that may be sent at once after a quiet time.
    ///
    /// It is enough that no change waits if an app changes at about the rate above, or if the machine is busy.
    package var publishedAtOnce = 5
    /// The time that a device waits for the latest state of an activity before it uses the replicated state.
    package var continuingTime = Duration.seconds(1)
    /// The time that an app may take to update an activity that is being continued on another device.
    ///
    /// It is short, so that the answer arrives before the other device stops waiting.
    package var savingTime = Duration.milliseconds(700)
    /// The time that an app may take to confirm that it opens what a person chose.
    ///
    /// It is longer than `savingTime`, because the app may have been busy.
    package var appOpeningTime = Duration.seconds(2)
    /// The pause between two repetitions of watched searches.
    ///
    /// There are at most four searches a second, whatever the number of watchers.
    package var watchedSearchPause = Duration.milliseconds(250)
    /// The time after which a watched search is repeated although nothing has changed and no result has expired.
    ///
    /// Ranks change with time. An activity is also no longer found when the item that it is about expires.
    package var watchedSearchRefresh = Duration.seconds(60)
    /// The time that a search waits for the vector of its words, and the pause after a change before the node looks for
    /// items without a vector.
    package var meaningTime = Duration.milliseconds(50)
    package var meaningPause = Duration.seconds(1)
    /// The time after which a paged search ends if nobody requests its next page.
    package var openSearchTime = Duration.seconds(60)
    /// The largest number of instances of an app that are asked to open something, one after another.
    package static let askedInstances = 3
    /// The lifetime of a device's certificate.
    ///
    /// An owner renews it automatically when a third of this time is left.
    package var certificateTime = Duration.seconds(365 * 86_400)
    /// The interval between two checks of the certificates' ages.
    ///
    /// It is short compared with a third of their lifetime.
    package var renewalTime = Duration.seconds(86_400)
    /// The largest number of renewals of one device under one certificate of an owner.
    ///
    /// It is twice what the ten years of the owner's certificate need.
    ///
    /// A clock that is wrong repeatedly can't cause more statements than this.
    package var renewalsMost = Limits.deviceAdmissions
    /// The time that a leaving device waits until another device confirms that it leaves.
    package var leavingTime = Duration.seconds(10)
    /// The time that an invitation stays open.
    package var invitationTime = Duration.seconds(600)
    /// The largest number of places of a lane that are skipped before the peer is sent a new resume token.
    ///
    /// When two devices in step reconnect, each reads at most this number of places without a result. One message
    /// covers all of the skipped places.
    package var placesPassedOver: UInt64 = 1000
    /// The delay between a change and this device's report of what it has stored durably.
    package var reportTime = Duration.seconds(30)
    /// The time that a change waits for its claim, if a peer sent it before the peer's disk had stored it.
    ///
    /// The change and the claim are then stored together.
    package var claimTime = Duration.milliseconds(20)
    /// The time without requests after which the memory of a database's page cache is released.
    package var restPause = Duration.seconds(2)
    /// The time for which a search waits until changed items of protected indexes are opened.
    ///
    /// A search after a small change finds it. After a large batch, a search answers in time, and says that it has not
    /// covered everything.
    package var openingPatience = Duration.seconds(1)
    /// The time for which a clock must run evenly before records that have expired by this clock are swept.
    package var clockProvingTime = Duration.seconds(3600)
    /// The shortest pause between two sweeps of expired records.
    package var sweepPause = Duration.seconds(6 * 3600)
    /// The time within which the text of a removed item is erased from the files of the store.
    ///
    /// The full-text table is rewritten at most once in half of this time, and only if something was removed.
    package var erasingTime = Duration.seconds(3600)
    /// The time within which the table is rewritten if texts were only replaced.
    ///
    /// Texts are replaced much more often than removed.
    package var replacedErasingTime = Duration.seconds(86_400)
    /// The pause before a newly opened store is checked for text to erase, and before erasing is tried again after a
    /// reader has held it up.
    package var erasingPause = Duration.seconds(60)
    /// The delay between a change and the next comparison of states by two nodes in step.
    package var checkTime = Duration.seconds(300)
    /// The first and the longest pause between two attempts to reach a device.
    package var redialTime = Duration.milliseconds(250)...Duration.seconds(30)
    /// The time that one attempt to connect may take.
    package var connectingTime = Duration.seconds(10)
    /// The pause between the starts of two attempts to connect to one device.
    ///
    /// A better address gets a head start. An address that does not answer delays the next attempt only by this pause.
    package var attemptPause = Duration.milliseconds(100)
    /// The first and the longest pause before an address that was found on a local network is tried again.
    ///
    /// Anybody on the network can announce an address. So such an address is given up sooner than one that the device
    /// itself sent.
    package var foundPause = Duration.seconds(1)...Duration.seconds(300)
    /// The largest number of addresses that are tried immediately when they are found for one device on a network.
    ///
    /// Further addresses wait for the next round.
    package var foundDialsAtOnce = 8
    /// The time for which a device keeps the names in its announcements on a network.
    ///
    /// Each period has a random length in this range.
    ///
    /// The names also change when the network changes, so that a device can't be tracked from one network to another.
    /// On the same network, names that last this short a time hardly allow tracking. Each change wakes every listener
    /// with four packets.
    package var announcementPeriod = Duration.seconds(1200)...Duration.seconds(2400)
    /// The largest number of announcements by other devices that are kept for each network.
    package var announcements = 256
    /// The time that a joiner looks for an invitation on local networks.
    package var searchingTime = Duration.seconds(10)
    /// The time within which a connected device must answer after this machine woke up or its network changed.
    package var probingTime = Duration.milliseconds(4500)
    /// The time that a name service may take, and then each address, when a person asks whether a device can be
    /// reached.
    ///
    /// In this time, a lost packet is sent again twice.
    package var addressProbeTime = Duration.seconds(5)
    /// The largest number of addresses that an account tries at the same time when a person asks, and the largest
    /// number that may wait.
    ///
    /// The addresses of eight devices may wait.
    package var probes = 6
    package var waitingProbes = 8 * Limits.deviceAddresses
    /// The largest number of addresses of one host name that are tried when a person asks.
    package var probedAddresses = 4
    /// The largest number of open connections with peers that are not known yet: in total, and from one IPv4 address or
    /// one IPv6 network of 64 bits.
    ///
    /// When the limit is reached, the oldest connection is closed for the newest one. A device is known after about a
    /// second, while an attacker's connections stay open as long as they may. Connections whose handshake has begun
    /// keep up to half of the places, because they have already cost work.
    package var strangers = 256
    package var strangersPerSource = 64
    /// The number of connections that are accepted in a second, and the number at once after a quiet period.
    ///
    /// Further connections wait in the kernel.
    package var acceptsPerSecond = 1000
    package var acceptsAtOnce = 256
    /// The number of handshakes that are begun in a second, and the number at once.
    ///
    /// A handshake takes most of the processor time that a connection costs.
    ///
    /// With these limits, all 256 devices of an account can reconnect within two seconds. A client that does not know
    /// the account gets no handshake.
    package var handshakesPerSecond = 200
    package var handshakesAtOnce = 64
    /// The share of each second that handshakes with unknown peers may take on the event loop's thread, and the time
    /// that they may take at once after a quiet period.
    ///
    /// The rest of the time always belongs to connected members and to commands on this machine.
    package var handshakeShare = 0.25
    package var handshakeBurst = Duration.milliseconds(100)
    /// The largest number of refused connections that are logged in a minute.
    ///
    /// Further ones are only counted.
    package var toldRefusals = 60
    /// The largest number of apps and commands that may be connected at the same time.
    package var localConnections = 256
    /// The largest number of unanswered requests of one app or command.
    ///
    /// When it is reached, the node stops reading its requests.
    package var localRequests = 16
    /// The number of additional connections for commands that request the node's status.
    ///
    /// When it is reached, the oldest one is closed for the newest one.
    package var localSpareConnections = 16
    /// The maximum size in bytes of the large frames that are in transit from all apps and commands together, and the
    /// maximum memory for their requests.
    ///
    /// A request takes memory until its answer has been read.
    ///
    /// An app that would exceed these limits has to wait.
    package var localFrameBytes = 8 << 20
    package var localRequestBytes = 16 << 20
    /// The time in which a large frame must arrive, and an answer must be read, while other clients wait for the
    /// memory.
    package var localHoldingTime = Duration.seconds(5)
    /// The largest number of connections of one device at the same time.
    ///
    /// One of them is in use. The others are not known to be dead yet.
    package var deviceLinks = 8
    /// The number of connections that one device may make in a second, and the number at once.
    ///
    /// Further ones are refused.
    ///
    /// Two devices that connect to each other make two connections at a time. A device on an unstable network makes a
    /// few in a minute.
    package var connectionsPerSecond = 2
    package var connectionsAtOnce = 256
    /// The time for which a device is refused after it sent too many records with wrong signatures.
    package var voidPause = Duration.seconds(600)
    /// The shortest time between two lines in the log about such refusals of one device.
    package var refusalLogPause = Duration.seconds(60)
    /// The largest number of other devices that the node tries to reach.
    package var devices = 256
    /// The number of bytes that may wait for a slow reader before the node stops reading data that would add to them.
    package var backlogBytes = 2 << 20
    /// The maximum number of bytes that can ever wait for a slow reader.
    ///
    /// The node may read a full window before it checks the backlog.
    package var backlogMost: Int {
        backlogBytes + sentBytes + Lane.allCases.count * Self.frameBytes
    }
    /// The time that a closing connection may take to send its remaining bytes.
    package var closingTime = Duration.seconds(2)
    /// The unit in which the time without use is counted after which protected content is locked.
    package var lockMinute = Duration.seconds(60)
    /// The longest time that the end of all connections may take when the node locks protected content.
    package var lockingTime = Duration.milliseconds(500)
}
