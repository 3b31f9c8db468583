import BatonCore
import Support

extension Vector {
    static let peerMessages = PeerMessage.samples.map { Vector($0, $1, $2.frame) }
    static let writes = PeerMessage.writeSamples.map { Vector($0, $1, $2.frame) }
}

extension PeerMessage {
    private static func hello(port: UInt16?, features: Features = Features()) -> PeerMessage {
        .hello(
            Hello(
                account: Sample.account, device: Sample.laptop, name: "laptop",
                completeDigest: VersionVector().digest, port: port, build: "0.1.0", features: features))
    }

    static let vectorSample: VersionVector = {
        var vector = VersionVector()
        vector.extend(Origin(life: Sample.life, lane: .activities), to: 3)
        vector.extend(Origin(life: Sample.life, lane: .index), to: 1)
        vector.extend(Origin(life: Sample.otherLife, lane: .activities), to: 70_000)
        return vector
    }()

    /// Origins of 65 lives, whose last bytes go up to 128 in steps of two, but for part 1.
    static let largeSample = VersionVector(
        (0...64).map { number in
            let low = number == 0 ? 1 : 2 * UInt64(number)
            return (Origin(life: Life(high: 0x0d0d_0d0d_0d0d_0d0d, low: low), lane: .activities), 3 as UInt64)
        })

    private static var helloAgain: Hello {
        var hello = Hello(
            account: Sample.account, device: Sample.laptop, name: "laptop",
            completeDigest: vectorSample.digest, port: nil, build: "0.1.0")
        hello.resume = [.activities: resumeSample, .index: ResumeToken(bytes: Array("anything".utf8))]
        hello.clock = WallTime(milliseconds: 1_800_000_000_000)
        return hello
    }

    static let resumeSample = ResumeToken(
        Cursor(Arrival(value: 300)), in: ArrivalOrder(high: 0x0f0f_0f0f_0f0f_0f0f, low: 0x0f0f_0f0f_0f0f_0f0f)
    )

    /// The beginning of the day before the samples' day.
    static let comparedSample = Sample.noon.compared

    static let sumsSample: LaneSums = {
        var sums = [StateDigest](repeating: StateDigest(), count: LaneSums.count)
        sums[Int(item.identity.hash.part)] += Record(item).digest
        return LaneSums(lane: .index, sums: sums, at: comparedSample)
    }()

    private static let aheadSample: Batch = {
        var batch = Batch(
            number: 1, lane: .index, writes: [itemClear], complete: nil, resume: resumeSample)
        batch.isAhead = true
        return batch
    }()

    static let reportsSample: Reports = {
        var reports = Reports()
        reports.join(Sample.laptop, vectorSample)
        reports.join(
            Sample.desktop, VersionVector(vectorSample.sorted.prefix(1).map { ($0.origin, $0.sequence) }))
        return reports
    }()

    static let samples: [(name: String, description: String, message: PeerMessage)] = [
        ("hello", "The first message of a node that listens.", hello(port: 4817)),
        ("hello-without-port", "The first message of a node that takes no connections.", hello(port: nil)),
        (
            "hello-with-features", "A node that can do more than version 1.",
            hello(port: 4817, features: Features([1, 1000]))
        ),
        (
            "standing", "Three origins of two lives, in ascending order.",
            .standing(Standing(complete: vectorSample))
        ),
        (
            "hello-with-parts", "A node with so many lives behind it that it tells the parts of its vector.",
            .hello(
                Hello(
                    account: Sample.account, device: Sample.laptop, name: "laptop",
                    completeDigest: largeSample.digest, port: nil, build: "0.1.0",
                    parts: VectorParts(of: largeSample, salt: 0x0102_0304_0506_0708)))
        ),
        (
            "standing-of-parts", "Parts 1 and 63 differ; the sender has nothing of the second.",
            .standing(
                Standing(
                    complete: largeSample.restricted(to: VectorPartSet([1, 63])),
                    parts: VectorPartSet([1, 63])))
        ),
        ("standing-empty", "All that a new store has.", .standing(Standing(complete: VersionVector()))),
        (
            "hello-again", "To a peer that was connected before, and told where it is to go on.",
            .hello(helloAgain)
        ),
        (
            "standing-large", "All that a node has that claims writes of several lives.",
            .standing(Standing(complete: vectorSample))
        ),
        (
            "batch-without-writes",
            "Nothing is to be sent, but the receiver may claim more than it is known to claim.",
            .batch(
                Batch(
                    number: 1, lane: .activities, writes: [],
                    complete: vectorSample.restricted(to: .activities), resume: resumeSample))
        ),
        (
            "hello-with-reports",
            "A node that collects tombstones and knows which writes devices have reported as durable.",
            .hello(
                Hello(
                    account: Sample.account, device: Sample.laptop, name: "laptop",
                    completeDigest: VersionVector().digest, port: nil, build: "0.1.0", features: .offered,
                    reportsDigest: Reports().digest))
        ),
        (
            "standing-within-a-snapshot", "A snapshot of lane 1 was cut, and lane 0 was to begin one.",
            .standing(
                Standing(
                    complete: VersionVector(),
                    snapshots: [
                        .activities: SnapshotProgress(
                            through: nil, start: VersionVector(), token: resumeSample),
                        .index: SnapshotProgress(
                            through: itemKey.identity,
                            start: vectorSample.restricted(to: .index), token: resumeSample),
                    ], dropped: vectorSample))
        ),
        (
            "batch-range-first", "The first record of a lane, whose writes came in batches before this one.",
            .batch(
                Batch(
                    number: 1, lane: .index, writes: [], complete: nil, resume: resumeSample,
                    range: BatchRange(
                        after: nil, through: itemKey.identity,
                        complete: vectorSample.restricted(to: .index), dropped: VersionVector(),
                        horizon: HybridTime(value: 70_000), isEndAhead: true)))
        ),
        (
            "batch-range-last", "All that stands behind a record: nothing; the snapshot is at its end.",
            .batch(
                Batch(
                    number: 2, lane: .index, writes: [], complete: nil, resume: resumeSample,
                    range: BatchRange(
                        after: itemKey.identity, through: nil, complete: nil, dropped: nil,
                        horizon: HybridTime(value: 70_000))))
        ),
        ("batch-ahead", "A write of a snapshot that must come before its next range.", .batch(aheadSample)),
        ("reports", "What two devices have for good.", .reports(reportsSample)),
        (
            "hello-with-state", "A node that compares what it holds, which is all that it claims.",
            .hello(
                Hello(
                    account: Sample.account, device: Sample.laptop, name: "laptop",
                    completeDigest: vectorSample.digest, port: nil, build: "0.1.0", features: .offered,
                    compared: comparedSample, state: Record(activityWrite).digest))
        ),
        (
            "check", "What a node holds once it is in step, or a while after something has changed.",
            .check(
                StateCheck(
                    complete: vectorSample.digest, state: Record(activityWrite).digest, at: comparedSample))
        ),
        ("sums", "One record in a part of lane 1, and nothing in the others.", .sums(sumsSample)),
        ("ping", "Asks a peer that owes acknowledgements whether it is still there.", .ping(7)),
        ("pong", "The answer to that ping.", .pong(7)),
        (
            "batch-repair", "A write of a part that differed; others of the lane follow.",
            .batch(
                Batch(
                    number: 1, lane: .index, writes: [item], complete: nil, resume: ResumeToken(bytes: []),
                    repair: .more))
        ),
        (
            "batch-repair-last", "Nothing of the lane differs, or nothing of it is left to be told.",
            .batch(
                Batch(
                    number: 2, lane: .index, writes: [], complete: nil, resume: ResumeToken(bytes: []),
                    repair: .last))
        ),
        ("acknowledgement", "Batches 1 to 300 are kept.", .acknowledgement(300)),
        (
            "continue-request", "Asks for the latest state of a current activity.",
            .continueRequest(ContinueRequest(number: 1, identity: Sample.activityName.key.identity))
        ),
        (
            "continue-answer", "The activity is going on, and these are its fields now.",
            .continueAnswer(
                ContinueAnswer(number: 1, outcome: .fields(Sample.newerActivity.fields, isSaved: false)))
        ),
        (
            "continue-answer-saved", "The same, after its app was asked for it.",
            .continueAnswer(
                ContinueAnswer(
                    number: 1, outcome: .fields(Sample.newerActivity.fields, isSaved: true)))
        ),
        (
            "continue-request-taking", "Takes a current activity over.",
            .continueRequest(
                ContinueRequest(number: 4, identity: Sample.activityName.key.identity, takes: true))
        ),
        (
            "continue-request-fetching", "Asks for the latest state alone.",
            .continueRequest(
                ContinueRequest(number: 5, identity: Sample.activityName.key.identity, step: .fetch))
        ),
        (
            "continue-request-typed", "Takes a current activity over, if it is still a page of a browser.",
            .continueRequest(
                ContinueRequest(
                    number: 6, identity: Sample.activityName.key.identity, takes: true, type: "org.baton.web")
            )
        ),
        (
            "continue-answer-taken", "The activity was taken over by this device.",
            .continueAnswer(
                ContinueAnswer(number: 4, outcome: .gone(to: Sample.activityName.device)))
        ),
        (
            "continue-answer-nothing", "The activity is not going on any more.",
            .continueAnswer(ContinueAnswer(number: 2, outcome: .gone(to: nil)))
        ),
        (
            "continue-answer-too-large", "The activity is going on, and more than a write can hold.",
            .continueAnswer(ContinueAnswer(number: 3, outcome: .unavailable))
        ),
        (
            "addresses", "Where one other device may be found.",
            .addresses([
                DeviceAddresses(
                    device: Sample.desktop, name: "desktop",
                    addresses: ["192.0.2.7:4817", "[2001:db8::7]:4817", "desktop.example:4817"])
            ])
        ),
        (
            "stream-open", "Asks for a pair of streams to the app of an activity.",
            .stream(StreamMessage(1, .open(Sample.activityName.key.identity)))
        ),
        ("stream-opened", "The app has taken it.", .stream(StreamMessage(1, .opened))),
        ("stream-refused", "The app offers no streams.", .stream(StreamMessage(3, .refused(.notOffered)))),
        (
            "stream-data", "Bytes of the app.",
            .stream(StreamMessage(1, .data(ArraySlice("any bytes".utf8))))
        ),
        ("stream-credit", "So many bytes more may come.", .stream(StreamMessage(1, .credit(65_536)))),
        ("stream-end", "The app has said all it had to say.", .stream(StreamMessage(2, .end))),
        ("stream-taken", "The app has taken all that came.", .stream(StreamMessage(2, .taken))),
        ("stream-abort", "The app is gone.", .stream(StreamMessage(2, .abort(.appGone)))),
        ("close", "The node stops.", .close(CloseReason(.goingAway, "the node stops"))),
        (
            "close-unknown-code", "A code that no version has yet; it ends the session like any other.",
            .close(CloseReason(CloseCode(rawValue: 1000), "a reason of a newer version"))
        ),
    ]

    private static func batch(
        _ writes: [Write], lane: Lane = .activities, isWhole: Bool = true
    ) -> PeerMessage {
        let covered = VersionVector(writes.map { ($0.dot.origin, $0.dot.sequence) })
        return .batch(
            Batch(
                number: 1, lane: lane, writes: writes, complete: isWhole ? covered : nil, resume: resumeSample
            ))
    }

    static let activityWrite = Write(
        dot: Sample.dot(1), key: Sample.activityName.key, stamp: Sample.stamp(0),
        action: .full(Write.Content(fields: Sample.activity.fields)))
    static let deviceWrite = Write(
        dot: Sample.dot(2), key: Device.key(Sample.desktop), stamp: Sample.stamp(1),
        action: .full(Write.Content(fields: Sample.device.fields)))
    static let deletion = Write(
        deleting: Sample.activityName.key.identity, dot: Sample.dot(3), stamp: Sample.stamp(5000))

    /// A thing that an app indexed; the kind is reserved, so the fields have no meaning yet.
    static let itemKey = RecordKey(kind: .item, parts: 3) { writer in
        for part in ["org.example.editor", "default", "report"] { writer.text(part) }
    }
    static let itemScope = Scope.items(app: "org.example.editor", index: "default", domain: "notes.work")
    static let item = Write(
        dot: Sample.dot(1, Sample.life, .index), key: itemKey, stamp: Sample.stamp(10),
        action: .full(Write.Content(scope: itemScope, fields: numbered([1: "one", 2: "two"]))))
    static let partial = Write(
        dot: Sample.dot(1, Sample.otherLife, .index), key: itemKey, stamp: Sample.stamp(20, Sample.otherLife),
        action: .partial(of: item.stamp, numbered([2: "zwei", 3: "drei"])))
    static let earlierPartial = Write(
        dot: Sample.dot(2, Sample.life, .index), key: itemKey, stamp: Sample.stamp(15),
        action: .partial(of: item.stamp, numbered([2: "deux"])))
    static let itemClear = clear(Scope.items(app: "org.example.editor", index: "default", domain: "notes"))
    static let otherClear = clear(Scope.items(app: "org.example.editor", index: "default", domain: "note"))
    static let count: Write = {
        var fields = Fields()
        var writer = CBORWriter()
        writer.unsigned(12)
        fields[.part(1, Sample.laptop)] = writer.bytes
        return Write(
            dot: Sample.dot(4, Sample.life, .index), key: itemKey, stamp: Sample.stamp(30),
            action: .count(begun: Sample.stamp(25), Write.Content(scope: itemScope, fields: fields)))
    }()
    static let entityType = Write(
        dot: Sample.dot(6, Sample.life, .index), key: Sample.entityType.name.key, stamp: Sample.stamp(50),
        action: .full(Sample.entityType.content))
    static let unknownKind: Write = {
        var fields = numbered([1: "a field of a kind that this version has not"])
        fields[.custom(Array("org_example_colour".utf8))] = PropertyValue.string("blue").encoded
        fields[.part(2, Sample.laptop)] = PropertyValue.array([.integer(-1), .real(1.5)]).encoded
        let key = RecordKey(kind: RecordKind(rawValue: 1000), parts: 1) { $0.text("name") }
        return Write(
            dot: Sample.dot(5, place: 2), key: key, stamp: Sample.stamp(40, counter: 7),
            action: .full(Write.Content(fields: fields)))
    }()

    private static func clear(_ scope: Scope) -> Write {
        Write(
            dot: Sample.dot(3, Sample.life, .index), key: scope.clearKey(in: .index), stamp: Sample.stamp(12),
            action: .full(Write.Content(fields: Fields())))
    }

    private static func numbered(_ values: [UInt64: String]) -> Fields {
        var fields = Fields()
        for (number, value) in values { fields.set(number) { $0.text(value) } }
        return fields
    }

    static let writeSamples: [(name: String, description: String, message: PeerMessage)] = [
        ("full-current-activity", "A full write of a current activity.", batch([activityWrite])),
        ("full-device", "A full write of a device of the account.", batch([deviceWrite])),
        (
            "full-clear", "A clear of all that lies within a domain of an index.",
            batch([itemClear], lane: .index)
        ),
        (
            "full-entity-type", "An app describes a type of its entities.", batch([entityType], lane: .index)
        ),
        (
            "full-unknown-kind", "A kind of a newer version, with every form of field name.",
            batch([unknownKind])
        ),
        ("full-in-scope", "A full write of a record that a clear can end.", batch([item], lane: .index)),
        ("deletion", "A deletion, which names its record by the hash.", batch([deletion])),
        ("partial", "A partial write changes two fields of one incarnation.", batch([partial], lane: .index)),
        ("count", "A counter of one device, begun after the record.", batch([count], lane: .index)),
        (
            "several",
            "The tables name each life and scope once, in the order in which writes first use them.",
            batch([item, earlierPartial, partial, count], lane: .index)
        ),
        (
            "not-whole", "More is to be sent, so the batch lets nobody claim anything.",
            batch([activityWrite], isWhole: false)
        ),
    ]
}
