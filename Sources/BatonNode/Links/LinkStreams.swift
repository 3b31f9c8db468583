import BatonCore

/// An object that is told the events of one stream.
protocol StreamHearer: AnyObject {
    func hear(_ event: StreamEvent)
}

/// The streams of a link, and the object that is told the events of each stream.
///
/// This class drives the multiplexer, and makes no decisions.
final class LinkStreams {
    private var multiplexer: StreamMultiplexer
    private weak var link: Link?
    private var hearers: [UInt64: any StreamHearer] = [:]
    private var isRunning = false

    init(isDialler: Bool) { multiplexer = StreamMultiplexer(isDialler: isDialler) }

    /// Sets the link on which to send.
    func start(on link: Link) { self.link = link }

    // MARK: The link

    /// Handles a stream frame that the peer sent.
    ///
    /// Throws if the frame breaks the rules. The caller then ends the link.
    func receive(_ frame: Frame) throws(CloseReason) {
        guard case .stream(let message) = try PeerMessage(frame) else {
            throw CloseReason(
                .unexpected, "a frame of kind \(frame.kind.rawValue) does not belong to a stream")
        }
        try multiplexer.handleMessage(message)
        run()
    }

    /// Sends bulk data if the link has room for it.
    func proceed() { run() }

    /// Breaks all streams, because nothing may leave this device.
    ///
    /// The apps on both devices are told the reason.
    func withhold() { change { $0.withhold() } }

    /// Ends all streams, because the link has ended or is closing.
    func close() {
        multiplexer.handleEnd()
        run()
    }

    // MARK: Receivers of events

    /// Requests a stream; returns nil if too many streams are open.
    ///
    /// `hearer` is told the events of the stream.
    func open(_ identity: RecordIdentity, for hearer: any StreamHearer) -> UInt64? {
        guard let number = multiplexer.open(identity) else { return nil }
        hearers[number] = hearer
        run()
        return number
    }

    /// Makes another object the one that is told the events of a stream.
    func pass(_ number: UInt64, to hearer: any StreamHearer) { hearers[number] = hearer }

    /// Stops reporting the events of a stream.
    func forget(_ number: UInt64) { hearers[number] = nil }

    // MARK: Commands

    /// Accepts a stream that the peer requested.
    ///
    /// Returns false if the peer no longer wants the stream.
    func accept(_ number: UInt64) -> Bool { change { $0.accept(number) } }

    func refuse(_ number: UInt64, _ refusal: StreamRefusal) {
        hearers[number] = nil
        change { $0.refuse(number, refusal) }
    }

    func send(_ number: UInt64, _ bytes: [UInt8]) { change { $0.send(number, bytes) } }

    func end(_ number: UInt64) { change { $0.end(number) } }

    func take(_ number: UInt64, count: Int) { change { $0.take(number, count: count) } }

    func takeEnd(_ number: UInt64) { change { $0.takeEnd(number) } }

    /// Breaks a stream.
    ///
    /// The events of the stream are no longer reported.
    func abort(_ number: UInt64, _ reason: StreamBreak) {
        hearers[number] = nil
        change { $0.abort(number, reason) }
    }

    /// Whether reading from the stream's app must pause, because too many bytes of the stream wait to be sent.
    func isFull(_ number: UInt64) -> Bool { multiplexer.isFull(number) }

    private func change<Value>(_ command: (inout StreamMultiplexer) -> Value) -> Value {
        let value = command(&multiplexer)
        run()
        return value
    }

    /// Reports events and sends frames, until nothing is left that may be sent.
    private func run() {
        // Handling an event may call this method again. The loop below does what such a call adds.
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
