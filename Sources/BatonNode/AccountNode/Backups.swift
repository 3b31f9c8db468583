import BatonCore
import BatonNetwork
import BatonSecurity
import BatonStore
import Glibc

/// The account whose store is backed up and restored.
protocol BackupOwner: AnyObject {
    /// The threads of the store; nil while the store is closed.
    var store: StoreThreads? { get }

    /// Returns the name in a device's record; nil if the device has no record, or if the account is not served.
    func recordedName(of device: DeviceIdentifier) -> String?
    /// Replaces the store with the state that was prepared in the store's folder.
    ///
    /// The result has the paths of the files that were replaced.
    func replaceStore(then: @escaping (Result<[String], StoreFailure>) -> Void)
}

/// Writes and restores backups of the account, one at a time, on a thread of its own.
///
/// The command that asked for the backup gets a progress report every second, and then asks for the next report. If the
/// command stops asking, the work is stopped. The object belongs to the loop's thread.
final class Backups {
    /// The account.
    ///
    /// The reference is strong, so that late results of the thread reach the account. The account breaks the cycle by
    /// releasing this object when the account closes.
    private let owner: any BackupOwner
    private let credentials: Credentials
    private let folder: String
    private let loop: EventLoop
    private let log: Log
    private var worker: WorkerThread<BackupJob>?
    /// The work that is under way, or whose outcome was not reported yet.
    private var current: Work?

    /// One backup or restoration.
    private struct Work {
        let watch = BackupWatch()
        /// Answers the waiting command; nil if no command waits.
        var waiting: Answer<BackupReply>?
        var outcome: Result<BackupReply, LocalFailure>?
    }

    /// The timer for the next progress report, or for stopping work whose progress no command asks for.
    private let timer: OwnedTimer

    /// The time until a progress report, and the time after which work stops if no command asks for its progress.
    private static let (silence, patience) = (Duration.seconds(1), Duration.seconds(10))

    init(
        of owner: any BackupOwner, _ credentials: Credentials, in folder: String, on loop: EventLoop,
        _ log: Log
    ) {
        self.owner = owner
        self.credentials = credentials
        self.folder = folder
        self.loop = loop
        self.log = log
        timer = OwnedTimer(on: loop)
    }

    // MARK: Requests

    /// Writes a backup to a file.
    func backUp(to path: String, replaces: Bool, _ answer: @escaping Answer<BackupReply>) {
        begin(answer) { [folder, credentials] (watch) throws(StoreFailure) in
            try Self.write(to: path, replaces: replaces, of: credentials, in: folder, watch: watch)
        } then: { [self] summary in
            log.tell("a backup was written to \(path)")
            end(with: .success(.backup(describe(summary, path))))
        }
    }

    /// Describes a backup, and restores it if the restoration is confirmed.
    func restore(_ path: String, isConfirmed: Bool, _ answer: @escaping Answer<BackupReply>) {
        let (account, device) = (credentials.account, credentials.device)
        var generator = SystemRandomNumberGenerator()
        let request = StoreRestoration.Request(
            account: account, device: device, order: .random(using: &generator), date: .now)
        begin(answer) { [folder] (watch) throws(StoreFailure) in
            let input = try BackupInput(path: path, watch: watch)
            try StoreRestoration.demand(input.summary.manifest, of: account, device)
            if isConfirmed {
                try StoreRestoration.prepare(
                    input, for: request, in: StoreFolder(path: folder), watch: watch)
            }
            return input.summary
        } then: { [self] summary in
            let description = describe(summary, path)
            guard isConfirmed else { return end(with: .success(.backup(description))) }
            owner.replaceStore { [self] result in
                switch result {
                case .success(let replaced): end(with: .success(.restored(description, replaced: replaced)))
                case .failure(let failure): end(with: .failure(Self.failure(failure)))
                }
            }
        }
    }

    /// Answers when the work has ended.
    ///
    /// If that takes longer than a second, answers with the progress.
    func await(_ answer: @escaping Answer<BackupReply>) {
        guard let work = current, work.waiting == nil else {
            return answer(.failure(LocalFailure(.failed, "No backup is being made or restored.")))
        }
        if let outcome = work.outcome {
            timer.cancel()
            current = nil
            return answer(outcome)
        }
        wait(answer)
    }

    /// Stops the work, and returns when the thread has ended.
    func finish() {
        current?.watch.stop()
        worker?.finish()
        worker = nil
    }

    // MARK: Work

    private func begin(
        _ answer: @escaping Answer<BackupReply>,
        _ work: @escaping @Sendable (BackupWatch) throws(StoreFailure) -> BackupSummary,
        then: @escaping (BackupSummary) -> Void
    ) {
        guard current == nil || current?.outcome != nil else {
            return answer(
                .failure(LocalFailure(.failed, "Another backup is being made or restored. Try again later.")))
        }
        timer.cancel()
        let (next, opening) = (Work(), owner.store?.readers.opening ?? 0)
        current = next
        do throws(NetworkError) {
            let worker: WorkerThread<BackupJob>
            if let running = self.worker { worker = running } else { worker = try makeWorker() }
            self.worker = worker
            wait(answer)
            worker.submit(
                BackupJob(watch: next.watch, work: work) { [self] result in
                    cutOffLogs()
                    switch result {
                    case .success(let summary): then(summary)
                    case .failure(let failure):
                        repair(after: failure, foundIn: opening)
                        end(with: .failure(Self.failure(failure)))
                    }
                })
        } catch {
            current = nil
            answer(.failure(LocalFailure(.failed, "Could not start: \(error)")))
        }
    }

    /// Starts the rescue of the lane in which a backup found damage.
    private func repair(after failure: StoreFailure, foundIn opening: Int) {
        guard failure.damage != nil else { return }
        log.warn("a backup found damage, which is being repaired: \(failure)")
        owner.store?.rescue(after: failure, foundIn: opening) {}
    }

    /// Truncates the write-ahead logs of the databases.
    ///
    /// The logs could not be truncated while the backup was being read.
    private func cutOffLogs() {
        for lane in Lane.allCases {
            owner.store?.submit(to: lane) { (store) in
                (store as? SQLiteLane)?.truncateLog()
            } then: { _ in
                // If the store was closed in the meantime, there is no log to truncate.
            }
        }
    }

    private func makeWorker() throws(NetworkError) -> WorkerThread<BackupJob> {
        let answers: Mailbox<BackupJob> = try loop.mailbox { $0.tell() }
        return try WorkerThread<BackupJob>(name: "baton-backup") {
            { jobs in
                for job in jobs {
                    job.carryOut()
                    answers.post(job)
                }
            }
        }
    }

    private func wait(_ answer: @escaping Answer<BackupReply>) {
        current?.waiting = answer
        timer.set(after: Self.silence) { [self] in tellProgress() }
    }

    private func tellProgress() {
        guard let work = current, let waiting = work.waiting else { return }
        let progress = work.watch.progress
        current?.waiting = nil
        timer.set(after: Self.patience) { [self] in current?.watch.stop() }
        waiting(.success(.working(bytes: progress.bytes, all: progress.all)))
    }

    private func end(with outcome: Result<BackupReply, LocalFailure>) {
        guard let work = current else { return }
        if let waiting = work.waiting {
            timer.cancel()
            current = nil
            return waiting(outcome)
        }
        current?.outcome = outcome
        timer.set(after: Self.patience) { [self] in current = nil }
    }

    // MARK: Answers

    private func describe(_ summary: BackupSummary, _ path: String) -> BackupDescription {
        var description = BackupDescription(summary, path: path, own: credentials.device)
        let device = description.device.identifier
        if let known = owner.recordedName(of: device) { description.device.name = known }
        return description
    }

    /// Throws if a path is in the folder of the store, where a backup could overwrite a database.
    static func demandElsewhere(_ path: String, than folder: String) throws(StoreFailure) {
        let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"
        guard let (place, own) = real(parent, folder), "\(place)/".hasPrefix("\(own)/") else { return }
        throw StoreFailure(.failed, "\(path) is in the folder of the node's databases; choose another folder")
    }

    /// Returns the real paths of two folders; nil if one of them does not exist.
    private static func real(_ one: String, _ other: String) -> (String, String)? {
        guard let first = realpath(one, nil) else { return nil }
        defer { free(first) }
        guard let second = realpath(other, nil) else { return nil }
        defer { free(second) }
        return (String(cString: first), String(cString: second))
    }

    private static func failure(_ failure: StoreFailure) -> LocalFailure { LocalFailure(backup: failure) }
}

extension Backups {
    /// Writes a backup of an account's folder to a file.
    static func write(
        to path: String, replaces: Bool, of credentials: Credentials, in folder: String, watch: BackupWatch
    ) throws(StoreFailure) -> BackupSummary {
        let manifest = BackupManifest(
            account: credentials.account, device: credentials.device, deviceName: credentials.deviceName,
            made: .now, build: Build.version)
        try demandElsewhere(path, than: folder)
        let output = try BackupOutput(path: path, replaces: replaces)
        let summary = try StoreBackup.write(manifest, of: folder, to: output, watch: watch)
        try output.end()
        return summary
    }
}

extension BackupDescription {
    /// Describes a backup for the person at a device.
    init(_ summary: BackupSummary, path: String, own: DeviceIdentifier) {
        let manifest = summary.manifest
        self.init(
            path: path, bytes: summary.bytes, items: summary.contents.items,
            activities: summary.contents.activities, account: manifest.account,
            device: DeviceReference(
                identifier: manifest.device, name: manifest.deviceName, isHere: manifest.device == own),
            made: manifest.made, build: manifest.build)
    }
}

extension LocalFailure {
    /// Creates the failure for a backup that was not made or not restored.
    init(backup failure: StoreFailure) {
        let code: Code =
            switch failure.code {
            case .full, .readOnly, .damaged: .storage
            case .newer: .versionMismatch
            default: .failed
            }
        let advice = failure.damage == nil ? "" : " The damage is being repaired; try again."
        self.init(code, "The request failed, and nothing has changed: \(failure).\(advice)")
    }
}

/// Work on a backup, which the loop passes to the thread, and the thread passes back.
///
/// The class is Sendable although it is mutable. Queues pass a job from the loop to the thread and back, and only one
/// of them has the job at a time.
private final class BackupJob: @unchecked Sendable {
    private let watch: BackupWatch
    private let work: @Sendable (BackupWatch) throws(StoreFailure) -> BackupSummary
    /// Called and released on the loop's thread.
    private var then: ((Result<BackupSummary, StoreFailure>) -> Void)?
    private var result: Result<BackupSummary, StoreFailure>?

    init(
        watch: BackupWatch, work: @escaping @Sendable (BackupWatch) throws(StoreFailure) -> BackupSummary,
        then: @escaping (Result<BackupSummary, StoreFailure>) -> Void
    ) {
        (self.watch, self.work, self.then) = (watch, work, then)
    }

    func carryOut() { result = Result { () throws(StoreFailure) in try work(watch) } }

    func tell() {
        guard let result, let then = then.take() else { preconditionFailure("a job is told once, when done") }
        then(result)
    }
}
