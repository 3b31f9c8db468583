import BatonClient
import BatonCore
import Support

/// A program on a device that writes to an index, and does so while no node runs, too.
///
/// Its side is the product's `IndexWriter`, with a spool in memory. The node's side is made of `OpenBatches`, `AppBatch`
/// and `IndexDrafts`, as a `ClientSession` is. Between them are no sockets: a call takes its time to the node, and is lost
/// with the node's process if that ends before it has answered. The program outlives the processes of the node, and its
/// spool outlives the program.
///
/// All of a world runs on one thread, so nothing here is locked.
final class SimulatedProgram: WriterNode, @unchecked Sendable {
    private unowned let node: SimulatedNode
    private let spool = SimulatedSpool()
    private var writer: IndexWriter?
    /// Counts the processes of the program: nothing reaches a later one that an earlier one waited for.
    private var process = 0
    private var listeners: [@Sendable (NodeClient.Event) -> Void] = []
    private var isSeeking = false
    /// The run of the node to which it is connected; nil without a connection.
    private var connection: Int?
    /// The calls that the node has not answered, by their numbers, each with what is done if it is lost.
    private var unanswered: [Int: (LocalFailure) -> Void] = [:]
    private var callCount = 0
    /// When the last call reaches the node, as calls keep their order; nil before the first one.
    private var lastArrival: Instant?
    /// The batches that the node has over the present connection.
    private var batches = OpenBatches<AppBatch>()
    /// The items that each write of the program has in full, by its number.
    private(set) var serials: [RecordIdentity: Int] = [:]
    /// The numbers of the writes of which the program was told that they are done.
    private(set) var done: Set<Int> = []
    /// The number of the last write.
    private var serial = 0

    private static let index = ClientStateName(app: "org.program", index: "p")

    init(on node: SimulatedNode) {
        self.node = node
        begin()
    }

    private var world: World { node.world }
    private func draw(_ range: ClosedRange<Int>) -> Int { world.streams["save"].number(range) }

    // MARK: The program

    /// Begins a process, which sends what an earlier one has left.
    private func begin() {
        process += 1
        (listeners, unanswered, isSeeking) = ([], [:], false)
        disconnect()
        let name = (0..<BatchMark.writerBytes).map { UInt8(truncatingIfNeeded: process >> ($0 % 4 * 8)) }
        writer = IndexWriter(
            self, of: Self.index.app, spool: spool,
            named: Array(name.dropLast()) + [UInt8(truncatingIfNeeded: node.number)]
        ) { [unowned self] _, _, failure in
            world.violate(
                .acknowledgedIsKept, about: Violation.Subject(at: node),
                "a program of \(node.name) has to index again what it had kept: \(failure.text)")
        }
        writer?.sendLeftovers()
    }

    /// Forgets the writer, which refers to the program.
    func dismiss() { writer = nil }

    /// Writes some items; or the process ends, and another one begins.
    func act() {
        if draw(0...99) < 8 { return end() }
        for _ in 0..<draw(1...3) { write() }
    }

    private func end() {
        let isKilled = draw(0...1) == 0
        world.tell("a program of \(node.name) \(isKilled ? "is killed" : "ends")")
        // Anything that it can't send any more goes into the spool.
        if !isKilled { _ = writer?.close(within: .zero) }
        begin()
    }

    private func write() {
        serial += 1
        let number = serial
        var changes: [[IndexChange]] = []
        for part in 0..<draw(1...3) {
            let identifier = "\(node.number) \(number) \(part)"
            var item = Item(domain: nil, indexed: node.wallTime)
            item.attributes[.title] = .plain(.string("write \(number)"))
            serials[Self.identity(of: identifier)] = number
            changes.append([.item(identifier, item)])
        }
        if number > 1, draw(0...3) == 0 { changes[0].append(.deletion("\(node.number) \(number - 1) 0")) }
        let state = draw(0...1) == 0 ? [UInt8(number >> 8 & 255), UInt8(number & 255)] : nil
        let write = IndexWrite(Self.index, changes.map { ChangeIndex(Self.index, $0) }, state: state)
        let process = process
        writer?.write(write) { [self] result in
            guard process == self.process, case .success = result else { return }
            done.insert(number)
            if !spool.isEmpty { world.marks[.spooled] += 1 }
        }
    }

    /// The numbers of the writes that are in the spool.
    var spooled: Set<Int> {
        Set(
            spool.writes.flatMap { $0.write.parts }.flatMap(\.changes).compactMap { change in
                guard case .item(let identifier, _) = change else { return nil }
                return serials[Self.identity(of: identifier)]
            })
    }

    private static func identity(of identifier: String) -> RecordIdentity {
        ItemName(app: index.app, index: index.index, identifier: identifier).key.identity
    }

    // MARK: The connection

    /// The node's process ends, and with it everything over the connection.
    func loseNode() {
        guard connection != nil else { return }
        let lost = unanswered.sorted { $0.key < $1.key }.map(\.value)
        unanswered = [:]
        disconnect()
        for lose in lost { inProcess { lose(Self.noNode) } }
    }

    /// A process of the node begins.
    func noteNode() {
        guard isSeeking else { return }
        inProcess { [self] in if isSeeking, node.isUp { connect() } }
    }

    private func disconnect() { (connection, batches) = (nil, OpenBatches()) }

    private func connect() {
        guard connection != node.run else { return }
        disconnect()
        (connection, isSeeking) = (node.run, false)
        for listener in listeners { listener(.connected) }
    }

    private static let noNode = LocalFailure(.noNode, "No node is running.")

    /// Does something on the program's thread, unless its process ends before.
    private func inProcess(after pause: Duration = .zero, _ body: @escaping () -> Void) {
        let process = process
        world.enter(at: world.now + pause) { [self] in if process == self.process { body() } }
    }

    func run(after pause: Duration, _ body: @escaping @Sendable () -> Void) {
        inProcess(after: pause) { body() }
    }

    func listen(isLasting: Bool, _ listener: @escaping @Sendable (NodeClient.Event) -> Void) {
        listeners.append(listener)
    }

    func seekNode() {
        isSeeking = true
        noteNode()
    }

    func outcome<Call: LocalCall>(
        of call: Call, answer: @escaping @Sendable (NodeClient.Outcome<Call.Reply>) -> Void
    ) {
        guard node.isUp else { return inProcess { answer(.lost(Self.noNode)) } }
        connect()
        callCount += 1
        let (number, process) = (callCount, process)
        unanswered[number] = { answer(.lost($0)) }
        let arrival = max(lastArrival ?? world.now, world.now + .milliseconds(draw(0...world.delay)))
        lastArrival = arrival
        let run = node.run
        world.enter(at: arrival) { [self] in
            guard process == self.process, run == node.run, node.isUp else { return }
            node.later(0) { [self] in
                guard process == self.process else { return }
                take(call) { [self] outcome in
                    guard process == self.process, unanswered.removeValue(forKey: number) != nil else {
                        return
                    }
                    answer(outcome)
                }
            }
        }
    }

    // MARK: The node

    private func take<Call: LocalCall>(
        _ call: Call, answer: @escaping (NodeClient.Outcome<Call.Reply>) -> Void
    ) {
        let reply = { (result: Result<IndexReply, LocalFailure>) in
            switch result {
            case .success(let reply as Call.Reply): answer(.reply(reply))
            case .success: preconditionFailure("a program makes no such call")
            case .failure(let failure): answer(.refusal(failure))
            }
        }
        do throws(LocalFailure) {
            switch call {
            case let call as ChangeIndex: try change(call, reply)
            case let call as EndBatch: try end(call, reply)
            default: preconditionFailure("a program makes no such call")
            }
        } catch {
            reply(.failure(error))
        }
    }

    private func change(
        _ call: ChangeIndex, _ answer: (Result<IndexReply, LocalFailure>) -> Void
    ) throws(LocalFailure) {
        guard let place = call.place else { preconditionFailure("a writer makes all changes in batches") }
        do throws(OpenBatches<AppBatch>.Refusal) {
            node.batchCount += 1
            _ = try batches.admit(
                place, of: call.index,
                beginning: AppBatch(call.index, BatchIdentifier(value: node.batchCount)))
        } catch {
            throw refusal(error, of: place.batch, call.index)
        }
        let drafts = try IndexDrafts(call.index, at: node.wallTime).drafts(call.changes)
        let staged = try batches[place.batch]?.append(drafts) ?? []
        precondition(staged.isEmpty, "a batch of a few items stays in memory")
        answer(.success(IndexReply(passedOver: 0)))
    }

    private func end(
        _ call: EndBatch, _ answer: @escaping (Result<IndexReply, LocalFailure>) -> Void
    ) throws(LocalFailure) {
        let batch: AppBatch
        do throws(OpenBatches<AppBatch>.Refusal) {
            let (ended, refusal) = try batches.end(call.batch, of: call.index, count: call.count)
            if let refusal { throw refusal }
            batch = ended
        } catch {
            throw refusal(error, of: call.batch, call.index)
        }
        let state: [Journal.Draft]
        do throws(ClientState.TooLong) {
            state =
                try call.state.map {
                    (bytes) throws(ClientState.TooLong) in
                    [try Journal.Draft(ending: bytes, of: call.index, changed: node.wallTime)]
                } ?? []
        } catch {
            preconditionFailure("two bytes are not too long: \(error)")
        }
        let sent = call.count
        node.write(
            .index, batch.drafts + state, condition: IndexCondition(mark: call.mark), isBatch: true,
            then: { [self] writes in
                demandWhole(writes, of: sent)
                answer(.success(IndexReply(passedOver: 0)))
            },
            failed: { answer(.failure(LocalFailure(.storage, "Could not save the changes: \($0)"))) })
    }

    private func refusal(
        _ refusal: OpenBatches<AppBatch>.Refusal, of batch: UInt64, _ index: ClientStateName
    ) -> LocalFailure {
        world.tell("\(node.name) refuses a batch of a program: \(refusal)")
        world.marks[.piecesLost] += 1
        return refusal == .notBegun
            ? .notBegun(batch, of: index) : LocalFailure(.failed, "The batch is refused: \(refusal)")
    }

    /// Checks that a batch has all changes that its program sent, or none of them, as it was saved before.
    private func demandWhole(_ writes: [Write], of count: Int) {
        let saved = writes.count { $0.identity.kind == .item }
        guard saved != count, saved > 0 else { return }
        world.violate(
            .checkpointsFollowData, about: Violation.Subject(writes, at: node),
            "\(node.name) saves \(saved) of \(count) changes that a program sent as one batch")
    }
}

/// A spool in memory.
final class SimulatedSpool: WriterSpool, @unchecked Sendable {
    private(set) var writes: [MarkedWrite] = []
    /// The number of writes that were removed.
    private var removed = 0

    var isEmpty: Bool { writes.isEmpty }

    func append(_ writes: [MarkedWrite]) -> Int {
        self.writes += writes
        return writes.count
    }

    func first() -> (entry: IndexSpool.Entry, place: IndexSpool.Place)? {
        writes.first.map { (.write($0), IndexSpool.Place(filling: [], end: removed + 1)) }
    }

    func remove(_ place: IndexSpool.Place) {
        guard place.end == removed + 1, !writes.isEmpty else { return }
        writes.removeFirst()
        removed += 1
    }
}
