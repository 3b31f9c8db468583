import BatonCore
import BatonNetwork
import BatonNode
import BatonStore
import Support
import Synchronization

/// The threads of a store in a folder, and the results that they reported, in order.
final class Threads {
    let folder: TemporaryFolder
    let store: StoreThreads
    private let reports: Reports
    let device = DeviceIdentifier(high: 2, low: 2)

    /// The results so far, of all threads.
    private final class Reports: Sendable {
        let lines = Mutex<[String]>([])
    }

    static let account = AccountIdentifier(high: 1, low: 1)

    /// Opens the store; `afterTurn` is called with what is to be done at the end of a turn.
    init(
        _ folder: TemporaryFolder, gathering: (timer: OwnedTimer, time: Duration)? = nil,
        afterTurn: ((@escaping () -> Void) -> Void)? = nil
    ) throws {
        self.folder = folder
        let reports = Reports()
        self.reports = reports
        let witness = Self.witness(folder)
        store = try StoreThreads(
            folder: folder.path, account: Self.account, witness: witness,
            report: { report in
                report.tell { result in
                    reports.lines.withLock { lines in
                        switch result {
                        case .success(let opening):
                            lines.append("opened \(opening.rescues.map { "\($0.lane)" })")
                        case .failure(let failure): lines.append("not opened: \(failure)")
                        }
                    }
                }
            }, gathering: gathering, afterTurn: afterTurn)
    }

    deinit { store.finish() }

    static func witness(_ folder: TemporaryFolder) -> Witness {
        Witness(
            path: folder.path + "/witness", account: account, device: DeviceIdentifier(high: 2, low: 2),
            bootID: "boot")
    }

    /// The results so far.
    var lines: [String] { reports.lines.withLock { $0 } }

    /// Returns a function that notes the result of a job under a name.
    func note<Value>(_ name: String) -> (Result<Value, StoreFailure>) -> Void {
        { [reports] result in
            let line = (try? result.get()) == nil ? "\(name) failed" : name
            reports.lines.withLock { $0.append(line) }
        }
    }

    /// Runs a job with the whole account, and waits for it.
    @discardableResult
    func wait<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountStore) throws(StoreFailure) -> Value
    ) throws -> Value {
        let answer = Handover<Result<Value, StoreFailure>>()
        store.submitToAccount(work) { answer.leave($0) }
        return try answer.take().get()
    }

    /// Blocks the thread of a lane until the returned gate is opened.
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

    /// Makes a transaction of a life that writes one record in a lane.
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

    /// Submits a transaction of the life.
    func commit(
        _ sequence: UInt64, in lane: Lane, line: StoreLine? = nil, mayWait: Bool = false, name: String
    ) {
        let transaction = Self.transaction(sequence, in: lane)
        store.submit(to: lane, in: line, mayWait: mayWait) { (store) throws(StoreFailure) in
            try store.commit(transaction)
        } then: {
            self.note(name)($0)
        }
    }
}
