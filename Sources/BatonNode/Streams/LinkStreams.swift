import BatonCore

/// Who hears what becomes of one stream.
protocol StreamHearer: AnyObject {
    func hear(_ event: StreamEvent)
}

/// The streams of a link, and whose each of them is: it drives the multiplexer and decides nothing.
final class LinkStreams {
    private var multiplexer: StreamMultiplexer
    private weak var link: Link?
    private var hearers: [UInt64: any StreamHearer] = [:]
    private var isRunning = false

    init(isDialler: Bool) { multiplexer = StreamMultiplexer(isDialler: isDialler) }

    /// From now on something can be sent.
    func start(on link: Link) { self.link = link }

    // MARK: The link

    /// A frame of streams came from the peer; one that breaks the rules is thrown, and ends the link.
    func receive(_ frame: Frame) throws(CloseReason) {
        guard case .stream(let message) = try PeerMessage(frame) else {
            throw CloseReason(.unexpected, "a frame of kind \(frame.kind.rawValue) says nothing of streams")
        }
        try multiplexer.handle(message)
        run()
    }

    /// There may be room for bulk.
    func proceed() { run() }

    /// Nothing is to leave this device: all streams are broken, and both apps hear why.
    func withhold() { change { $0.withhold() } }

    /// The link has ended, or says nothing more.
    func close() {
        multiplexer.handleEnd()
        run()
    }

    // MARK: Whose a stream is

    /// Asks for a stream; nothing if as many are open as may be.
    func open(_ identity: RecordIdentity, for hearer: any StreamHearer) -> UInt64? {
        guard let number = multiplexer.open(identity) else { return nil }
        hearers[number] = hearer
        run()
        return number
    }

    /// What becomes of the stream is heard there from now on.
    func pass(_ number: UInt64, to hearer: any StreamHearer) { hearers[number] = hearer }

    /// Nobody here wants to hear of the stream any more.
    func forget(_ number: UInt64) { hearers[number] = nil }

    // MARK: Commands

    /// Takes the stream that the peer asked for; false if it does not want it any more.
    func accept(_ number: UInt64) -> Bool { change { $0.accept(number) } }

    func refuse(_ number: UInt64, _ refusal: StreamRefusal) {
        hearers[number] = nil
        change { $0.refuse(number, refusal) }
    }

    func send(_ number: UInt64, _ bytes: [UInt8]) { change { $0.send(number, bytes) } }

    func end(_ number: UInt64) { change { $0.end(number) } }

    func take(_ number: UInt64, count: Int) { change { $0.take(number, count: count) } }

    func takeEnd(_ number: UInt64) { change { $0.takeEnd(number) } }

    /// Breaks a stream, of which nothing more is heard here.
    func abort(_ number: UInt64, _ reason: StreamBreak) {
        hearers[number] = nil
        change { $0.abort(number, reason) }
    }

    /// Whether so much of the stream waits to be sent that its app is to be held back.
    func isFull(_ number: UInt64) -> Bool { multiplexer.isFull(number) }

    private func change<Value>(_ command: (inout StreamMultiplexer) -> Value) -> Value {
        let value = command(&multiplexer)
        run()
        return value
    }

    /// Tells what happened, and sends what is to be sent, until nothing is left that may be.
    private func run() {
        // What is told may lead to commands; the loop below sees what they leave to do.
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
