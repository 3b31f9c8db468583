/// Every limit of the product, with its reason.
///
/// Tests assert how they relate, and pass shorter times.
package struct Limits: Equatable, Sendable {
    package init() {}

    // MARK: Fixed by version 1 of the protocol

    /// The largest body of a frame: a batch fits with room to spare, and a liar costs little memory.
    package static let frameBytes = 2 << 20
    /// The largest encoded content of a write, its domain and fields.
    ///
    /// Beyond it none can be made, and one that a peer sends is set aside. What else a write says is
    /// bounded by `Write.overheadBytes`.
    package static let writeBytes = 512 << 10
    /// The largest activity that an app can make: many times what Apple advises, and a few of them in a frame.
    package static let activityBytes = 128 << 10
    /// The most current activities of one device that are listed, and how many bytes their fields may have: more than
    /// anyone has windows and shells.
    ///
    /// A device begins no more of its own. Activities of another device beyond that are kept and passed on, but neither
    /// read nor listed.
    package static let deviceActivities = 512
    package static let deviceActivitiesBytes = 4 << 20
    /// The most activities that are listed of those that have ended, and how many bytes their fields may have; beyond
    /// that one is found by its identifier alone.
    package static let finishedActivities = 10_000
    package static let finishedActivitiesBytes = 16 << 20
    /// The most activities in one answer that lists some.
    package static let listedActivities = 1000
    /// How deep values may be nested; Apple's property lists in use stay below ten.
    package static let nestingDepth = 32
    /// The most writes in a batch, so that none that a peer sends is too long a transaction.
    ///
    /// A sender need not count: by `largestBatchBytes` and `largestRangeRecordBytes` it never comes to so many.
    package static let batchWrites = 5120
    /// The most origins of one lane that a store claims; further ones are taken, but not claimed.
    ///
    /// A machine that is started thrice a day reaches it in fifteen years.
    package static let laneOrigins = 16384
    /// The most origins that a vector may name, so that it fits a frame beside a full batch.
    package static let vectorOrigins = 2 * laneOrigins
    /// The longest name of a device, in bytes of UTF-8; also the most that a certificate's name holds.
    package static let nameBytes = 64

    /// The most bytes of writes that a batch gathers before the last one is added, whatever the setting.
    package static let largestBatchBytes = 256 << 10
    /// How many bytes of batches may be on the way and not acknowledged.
    ///
    /// A sender looks at it before it reads the store, and may read both lanes at once, so a batch of each
    /// may reach beyond it.
    package static let windowBytes = 1 << 20

    /// The most bytes of writes of one record that stand in a range of a snapshot, whatever the setting.
    package static let largestRangeRecordBytes = 256 << 10
    /// How many bytes of writes that come ahead of a range are remembered until it comes.
    package static let aheadBytes = 8 << 20
    /// The most devices whose reports are kept and told.
    package static let reportingDevices = 256
    /// How many lost writes are adopted at once.
    package static let adoptedWrites = 1000
    /// How many traces of deletions are let go in one transaction.
    package static let collectedTraces = 1000

    /// How often a side may tell what it holds beyond the number of batches that went both ways.
    package static let checksBeyondBatches = 64

    /// How many requests to continue may be unanswered in one direction of a session.
    package static let continuingRequests = 64

    /// How many bytes a batch counts for at the least, because one that says nothing is work, too.
    package static let leastBatchBytes = 512

    /// How many records of a lane can be set aside: more than single faults make.
    ///
    /// A peer with more is not listened to.
    package static let asides = 1024

    /// How many messages in a row may bring nothing new, between two that do or that acknowledge something.
    ///
    /// An honest peer says such things now and then: it passes on what this device had from elsewhere meanwhile,
    /// or where to go on behind a thousand writes that it passed over. It would take millions of writes to make
    /// so many.
    package static let idleMessages = 4096
    /// Batches of this many bytes and more cost their sender enough, whatever they bring; full ones have more.
    package static let idleBytes = 16 << 10
    /// How many requests to continue a peer may make within `continuingPeriod`: far more than a person can, and few
    /// enough that the writes which they cause are no burden to the account.
    package static let continuingMost = 1024
    package static let continuingPeriod = Duration.seconds(60)

    /// How many items one search finds at the most: with the texts that are shown of each, they fit a frame.
    package static let foundItems = 100

    /// The largest request of an app that does not change an index: the largest activity, and names.
    package static let requestBytes = 192 << 10
    /// How many bytes of the changes to an index a node reads at once; of a larger request the rest stays encoded.
    package static let indexPortionBytes = 64 << 10

    /// How many changes one batch of an app may have, how many of them may be clears, and how many batches one
    /// connection may have begun.
    ///
    /// Clears have their effect in the transaction that ends the batch, which is to be short.
    package static let batchDrafts = 16 << 20
    package static let batchClears = 1000
    package static let openBatches = 16

    /// How many bytes one app may register to say which activities it continues, and all of them together: that fits an
    /// answer.
    package static let registrationBytes = 64 << 10
    package static let registrationsBytes = 1 << 20
    /// The most bytes in one frame of a continuation stream: what is more urgent waits behind no more than a few of
    /// them.
    package static let streamDataBytes = 64 << 10
    /// How many bytes of a stream may come in one direction before any was taken.
    package static let streamWindowBytes = 256 << 10
    /// How many bytes may come that were not taken, once some were: what is on its way meanwhile.
    package static let streamWideWindowBytes = 1 << 20
    /// How many streams of a link may bring as much.
    package static let wideStreams = 8
    /// How many bytes a side may let the other send at once, however much memory it has.
    package static let streamCreditMost = 1 << 30
    /// How many streams each side of a link may have asked for that are not over.
    package static let linkStreams = 32
    /// How many bytes of a stream this program puts in a frame: with its heads it fills records of TLS to the last.
    package static let streamFrameBytes = streamDataBytes - 32
    /// How many bytes of a stream wait to be sent before its app is held back.
    package static let streamBacklogBytes = 256 << 10

    /// How many addresses of one device are told, kept and tried.
    package static let deviceAddresses = 8
    /// The longest address, in bytes: a host name has at most 253, and a port follows.
    package static let addressBytes = 300
    /// How many devices one message tells addresses of, and how many of those that one peer told are kept while the
    /// roster does not name them.
    package static let toldDevices = 256

    // MARK: Settings

    /// How long an app may take to come for a stream that is wanted to it.
    package var streamTakingTime = Duration.seconds(5)
    /// How long a device waits for the answer to its wish for a stream: the app's time, and some for the way.
    package var streamOpeningTime = Duration.seconds(10)
    /// How many bytes may wait for a connection to another device before no more of streams is put behind them.
    package var streamPauseBytes = 64 << 10
    /// How long a node waits before it asks again whether a disk that is full or can't be written has changed.
    package var diskPause = Duration.seconds(2)
    /// How long after a failure of the disk that is tried once more.
    package var settlingTime = Duration.seconds(30)
    /// The same of what is known of an activity and was not kept, or not told, at first and at the most.
    package var retryPause = Duration.seconds(1)...Duration.seconds(30)
    /// How many records are done at once of what batches and clears have left to be done, while others wait for the
    /// disk.
    package var settledRecords = 25
    /// How many times as many are done at once while nobody waits.
    package static let settledMore = 8
    /// How long a step of that may take before the next is smaller; half of it, and the next is larger.
    package var settlingStep = Duration.milliseconds(20)
    /// The longest that SQLite's write-ahead log of a lane gets: small against the disk, and soon read when a node
    /// starts.
    ///
    /// At a quarter of it searches are held back until the log is cut off, so that there is room for what one
    /// transaction adds.
    package var logBytes = 64 << 20
    /// How long the digest is waited for before a client hears what it waits for.
    package var digestSilence = Duration.milliseconds(500)

    /// Whether a node lets go of the traces of deletions that every device has.
    package var letsTracesGo = true
    /// How many bytes of writes a batch gathers before it is sent: few enough that an activity, which comes behind it,
    /// hardly waits until the other side has read it.
    package var batchBytes = 64 << 10
    /// How many bytes of batches this side has on the way that are not acknowledged; never more than `windowBytes`.
    package var sentBytes = Limits.windowBytes
    /// How much of that the index may fill, so that an activity never waits for a batch of it to be acknowledged.
    package var sentIndexBytes: Int { max(sentBytes / 2, 1) }
    /// The most bytes of writes of one record that stand in a range of a snapshot; of larger ones they go ahead.
    package var rangeRecordBytes = Limits.largestRangeRecordBytes
    /// How many origins a vector has at the most that a first message does not divide into parts.
    package var undividedOrigins = 64
    /// How long a peer may take from the connection to the end of the opening messages.
    package var openingTime = Duration.seconds(10)
    /// How long a peer may acknowledge nothing of what is on the way to it: long enough for the largest batch on a
    /// link of five kilobytes a second.
    package var acknowledgingTime = Duration.seconds(120)
    /// How long the other end of a connection with a full backlog may acknowledge no further byte before it is given up.
    package var readingTime = Duration.seconds(40)
    /// How long after a change of other devices' activities those are counted that are not listed.
    package var countingPause = Duration.seconds(2)
    /// How far apart changes of an activity go out in the long run: thirty times a second is as fast as anyone can see,
    /// and bounds what an app that changes without pause costs all devices.
    package var publishingPause = Duration.milliseconds(33)
    /// How many changes of an activity go out at once where none went out lately: enough that an app which changes about
    /// as often as that, and a machine that has others to serve, make none of them wait.
    package var publishedAtOnce = 5
    /// How long a device waits for the fresh state of an activity before it uses the replicated one.
    package var continuingTime = Duration.seconds(1)
    /// How long an app may take to bring an activity up to date that goes on elsewhere: short enough that its node's
    /// answer is at the other device before that is no longer waited for.
    package var savingTime = Duration.milliseconds(700)
    /// How long a device's certificate holds; an owner renews it when a third of that is left, without the person.
    package var certificateTime = Duration.seconds(365 * 86_400)
    /// How long a node waits between two looks at how old certificates are: short against a third of their life.
    package var renewalTime = Duration.seconds(86_400)
    /// How often one owner's certificate renews one device: many times what an owner's ten years need.
    ///
    /// A clock that goes wrong again and again makes no more statements than this.
    package var renewalsMost = 64
    /// How long a device that leaves waits for another to take its word of that.
    package var leavingTime = Duration.seconds(10)
    /// How long an invitation stays open.
    package var invitationTime = Duration.seconds(600)
    /// How many places of a lane are passed over at the most before the peer is told where to go on next time.
    ///
    /// So many are looked at in vain as two devices in step meet again, and a message tells of as many.
    package var placesPassedOver: UInt64 = 1000
    /// How long after a change a device reports what it has for good.
    package var reportTime = Duration.seconds(30)
    /// How long a clock goes evenly before what has expired by it is swept.
    package var clockProvingTime = Duration.seconds(3600)
    /// How long after sweeping what has expired the next sweep may begin.
    package var sweepPause = Duration.seconds(6 * 3600)
    /// How long after a change two nodes in step compare what they hold once more.
    package var checkTime = Duration.seconds(300)
    /// The first and the longest pause between two attempts to reach a device.
    package var redialTime = Duration.milliseconds(250)...Duration.seconds(30)
    /// How long one attempt to connect may take.
    package var connectingTime = Duration.seconds(10)
    /// How many connections may be open before their peers are known; of one address of IPv4, or one network of IPv6
    /// (64 bits).
    ///
    /// Beyond that the oldest makes room for the newest, because a device takes a second and those who only hold a place
    /// stay for as long as they may. Handshakes that have begun keep up to half of the places: work went into them.
    package var strangers = 256
    package var strangersPerSource = 64
    /// How many connections are taken in a second, and at once after a quiet while; the rest waits in the kernel.
    package var acceptsPerSecond = 1000
    package var acceptsAtOnce = 256
    /// How many handshakes are begun in a second, and at once: what costs the processor something.
    ///
    /// An account of 256 devices is back within two seconds. Whoever does not know the account comes to none.
    package var handshakesPerSecond = 200
    package var handshakesAtOnce = 64
    /// How much of the loop's thread may go into handshakes with peers that are not known yet: a share of each second,
    /// and so much at once after a quiet while.
    ///
    /// The members that are connected, and the commands typed here, always have the rest.
    package var handshakeShare = 0.25
    package var handshakeBurst = Duration.milliseconds(100)
    /// How many refused connections are told in the log in a minute, beyond which they are counted.
    package var toldRefusals = 60
    /// How many apps and commands may be connected at once.
    package var localConnections = 256
    /// How many requests of one app or command may be unanswered before no more of them are read.
    package var localRequests = 16
    /// How many more are taken, for commands that ask how the node is; the oldest of them makes room for the newest.
    package var localSpareConnections = 16
    /// How many bytes of large frames may be on their way from all apps and commands together, and how many their
    /// requests may take until they are answered and the answers are read.
    ///
    /// An app that would exceed them waits.
    package var localFrameBytes = 8 << 20
    package var localRequestBytes = 16 << 20
    /// How long a large frame may take to arrive, and an answer to be read, while others wait for that room.
    package var localHoldingTime = Duration.seconds(5)
    /// How many connections one device may have at once: the one in use, and those that nobody knows yet to be gone.
    package var deviceLinks = 8
    /// How many other devices are sought at the most.
    package var devices = 256
    /// How many bytes may wait for a slow reader before the node stops reading what would add to them.
    package var backlogBytes = 2 << 20
    /// How many bytes may wait for a slow reader at all: the window is read before anyone looks at the backlog.
    package var backlogMost: Int {
        backlogBytes + Self.windowBytes + Lane.allCases.count * Self.frameBytes
    }
    /// How long a closing connection may take to send its last bytes.
    package var closingTime = Duration.seconds(2)
}
