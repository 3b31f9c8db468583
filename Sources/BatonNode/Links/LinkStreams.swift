import BatonCore

/// A receiver of the events of one stream.
protocol StreamHearer: AnyObject {
    func hear(_ event: StreamEvent)
}

/// The streams of a link, with the receiver of each: it drives the multiplexer and decides nothing.
final class LinkStreams {
    private var multiplexer: StreamMultiplexer
    private weak var link: Link?
    private var hearers: [UInt64: any StreamHearer] = [:]
    private var isRunning = false

    init(isDialler: Bool) { multiplexer = StreamMultiplexer(isDialler: isDialler) }

    /// Begins to send on a link.
    func start(on link: Link) { self.link = link }

    // MARK: The link

    /// Handles a stream frame of the peer; throws if it breaks the rules, which ends the link.
    func receive(_ frame: Frame) throws(CloseReason) {
        guard case .stream(let message) = try PeerMessage(frame) else {
            throw CloseReason(
                .unexpected, "a frame of kind \(frame.kind.rawValue) does not belong to a stream")
        }
        try multiplexer.handleMessage(message)
        run()
    }

    /// Sends bulk data if there is room.
    func proceed() { run() }

    /// Breaks all streams, because nothing may leave this device; both apps are told why.
    func withhold() { change { $0.withhold() } }

    /// Ends all streams, because the link has ended or is closing.
    func close() {
        multiplexer.handleEnd()
        run()
    }

    // MARK: Receivers of events

    /// Requests a stream; returns nil if too many streams are open.
    func open(_ identity: RecordIdentity, for hearer: any StreamHearer) -> UInt64? {
        guard let number = multiplexer.open(identity) else { return nil }
        hearers[number] = hearer
        run()
        return number
    }

    /// Sends the events of the stream to another receiver from now on.
    func pass(_ number: UInt64, to hearer: any StreamHearer) { hearers[number] = hearer }

    /// Stops reporting events of the stream.
    func forget(_ number: UInt64) { hearers[number] = nil }

    // MARK: Commands

    /// Accepts a stream that the peer requested; returns false if the peer no longer wants it.
    func accept(_ number: UInt64) -> Bool { change { $0.accept(number) } }

    func refuse(_ number: UInt64, _ refusal: StreamRefusal) {
        hearers[number] = nil
        change { $0.refuse(number, refusal) }
    }

    func send(_ number: UInt64, _ bytes: [UInt8]) { change { $0.send(number, bytes) } }

    func end(_ number: UInt64) { change { $0.end(number) } }

    func take(_ number: UInt64, count: Int) { change { $0.take(number, count: count) } }

    func takeEnd(_ number: UInt64) { change { $0.takeEnd(number) } }

    /// Breaks a stream, whose events are no longer reported.
    func abort(_ number: UInt64, _ reason: StreamBreak) {
        hearers[number] = nil
        change { $0.abort(number, reason) }
    }

    /// Whether so much of the stream waits to be sent that reading from its app must pause.
    func isFull(_ number: UInt64) -> Bool { multiplexer.isFull(number) }

    private func change<Value>(_ command: (inout StreamMultiplexer) -> Value) -> Value {
        let value = command(&multiplexer)
        run()
        return value
    }

    /// Reports events and sends frames until nothing is left that may be sent.
    private func run() {
        // Handling an event may add more work; the loop below does it.
        guard !isRunning else { return }
        isRunning = true
        defer { isRunning = false }
        var goesOn = true
        while goesOn {
            goesOn = false
            while let event = multiplexer.nextEvent() {
                tell(event)
                goesOn = true
            }
            while let word = multiplexer.nextWord() {
                link?.send(word.frame)
                goesOn = true
            }
            if let link, link.takesBulk, let data = multiplexer.nextData() {
                link.send(data.frame)
                goesOn = true
            }
        }
    }

    private func tell(_ event: StreamEvent) {
        switch event {
        case .requested(let number, let identity): link?.streamRequested(number, identity)
        case .refused(let number, _), .broken(let number, _):
            hearers.removeValue(forKey: number)?.hear(event)
        case .opened(let number), .data(let number, _), .ended(let number), .taken(let number),
            .roomMade(let number):
            hearers[number]?.hear(event)
        }
    }
}
