import BatonCore
import BatonNetwork
import BatonNode
import BatonStore
import Support
import Synchronization

/// The threads of a store in a folder, and what they told, in order.
final class Threads {
    let folder: TemporaryFolder
    let store: StoreThreads
    private let told: Told
    let device = DeviceIdentifier(high: 2, low: 2)

    /// What was told, by whichever thread.
    private final class Told: Sendable {
        let lines = Mutex<[String]>([])
    }

    static let account = AccountIdentifier(high: 1, low: 1)

    /// Opens the store; with a closure, it is asked to have something done at the end of a turn.
    init(_ folder: TemporaryFolder, afterTurn: ((@escaping () -> Void) -> Void)? = nil) throws {
        self.folder = folder
        let told = Told()
        self.told = told
        let witness = Self.witness(folder)
        store = try StoreThreads(
            folder: folder.path, account: Self.account, witness: witness,
            report: { report in
                report.tell { result in
                    told.lines.withLock { lines in
                        switch result {
                        case .success(let opening):
                            lines.append("opened \(opening.rescues.map { "\($0.lane)" })")
                        case .failure(let failure): lines.append("not opened: \(failure)")
                        }
                    }
                }
            }, afterTurn: afterTurn)
    }

    deinit { store.finish() }

    static func witness(_ folder: TemporaryFolder) -> Witness {
        Witness(
            path: folder.path + "/witness", account: account, device: DeviceIdentifier(high: 2, low: 2),
            bootID: "boot")
    }

    /// What was told by now.
    var lines: [String] { told.lines.withLock { $0 } }

    /// Notes what came of a job, under that name.
    func note<Value>(_ name: String) -> (Result<Value, StoreFailure>) -> Void {
        { [told] result in
            let line = (try? result.get()) == nil ? "\(name) failed" : name
            told.lines.withLock { $0.append(line) }
        }
    }

    /// Does something with the whole account, and waits for that.
    @discardableResult
    func wait<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountStore) throws(StoreFailure) -> Value
    ) throws -> Value {
        let answer = Handover<Result<Value, StoreFailure>>()
        store.submitToAccount(work) { answer.leave($0) }
        return try answer.take().get()
    }

    /// Keeps the thread of a lane busy until the gate is opened.
    func block(_ lane: Lane) -> Handover<Bool> {
        let (gate, arrived) = (Handover<Bool>(), Handover<Bool>())
        store.submit(to: lane) { (_) throws(StoreFailure) in
            arrived.leave(true)
            _ = gate.take()
        } then: { _ in
        }
        _ = arrived.take()
        return gate
    }

    /// A transaction of a life in a lane, which writes one record.
    static func transaction(_ sequence: UInt64, in lane: Lane, of life: Life = life) -> StoreTransaction {
        let origin = Origin(life: life, lane: lane)
        let key = RecordKey(kind: RecordKind(rawValue: 8 + UInt64(lane.rawValue)), parts: 1) {
            $0.unsigned(sequence)
        }
        let stamp = Stamp(time: HybridTime(value: sequence), life: life)
        let write = Write(
            dot: Dot(origin: origin, sequence: sequence), key: key, stamp: stamp,
            action: .full(Write.Content(fields: Fields())))
        return StoreTransaction(
            lane: lane, writes: [write], completing: VersionVector([(origin, sequence)]), clock: stamp.time)
    }

    static let life = Life(high: 7, low: 8)

    /// Has a transaction of that life kept.
    func commit(_ sequence: UInt64, in lane: Lane, line: StoreLine? = nil, name: String) {
        let transaction = Self.transaction(sequence, in: lane)
        store.submit(to: lane, in: line) { (store) throws(StoreFailure) in
            try store.commit(transaction)
        } then: {
            self.note(name)($0)
        }
    }
}
