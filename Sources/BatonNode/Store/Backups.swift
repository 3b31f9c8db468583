import BatonCore
import BatonNetwork
import BatonSecurity
import BatonStore
import Glibc

/// Writes backups of the account and puts them back, one at a time, on a thread of its own.
///
/// The command that asked hears of it every second, and asks again; where nobody asks any more, it is stopped. It
/// belongs to the loop's thread.
final class Backups {
    /// It is let go when that is closed; what comes late from the thread still finds it.
    private let served: ServedAccount
    private let credentials: Credentials
    private let folder: String
    private var worker: WorkerThread<BackupJob>?
    /// What is under way, or has ended and was not told yet.
    private var current: Work?

    /// One backup or restoration.
    private struct Work {
        let watch = BackupWatch()
        /// Who wants to know.
        var waiting: Answer<BackupReply>?
        var outcome: Result<BackupReply, LocalFailure>?
        /// When something is told although there is no outcome, or it is given up because nobody asks.
        var timer: TimerToken?
    }

    /// How long who waits hears nothing, and how long nobody may ask.
    private static let (silence, patience) = (Duration.seconds(1), Duration.seconds(10))

    init(_ served: ServedAccount, _ credentials: Credentials) {
        (self.served, self.credentials, folder) = (served, credentials, served.home.account())
    }

    // MARK: Requests

    /// Writes a backup to a file.
    func backUp(to path: String, replaces: Bool, _ answer: @escaping Answer<BackupReply>) {
        begin(answer) { [folder, credentials] (watch) throws(StoreFailure) in
            try Self.write(to: path, replaces: replaces, of: credentials, in: folder, watch: watch)
        } then: { [self] summary in
            served.log.tell("a backup was written to \(path)")
            end(with: .success(.backup(describe(summary, path))))
        }
    }

    /// Looks at a backup, and has it take the place of the present state if that is confirmed.
    func restore(_ path: String, isConfirmed: Bool, _ answer: @escaping Answer<BackupReply>) {
        let (account, device) = (credentials.account, credentials.device)
        var generator = SystemRandomNumberGenerator()
        let request = StoreRestoration.Request(
            account: account, device: device, order: .random(using: &generator))
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
            served.replaceStore { [self] result in
                switch result {
                case .success(let aside): end(with: .success(.restored(description, aside: aside)))
                case .failure(let failure): end(with: .failure(Self.failure(failure)))
                }
            }
        }
    }

    /// Answers when what is under way has ended, or after some time.
    func await(_ answer: @escaping Answer<BackupReply>) {
        guard let work = current, work.waiting == nil else {
            return answer(.failure(LocalFailure(.failed, "No backup is under way.")))
        }
        if let outcome = work.outcome {
            if let timer = work.timer { served.loop.cancel(timer) }
            current = nil
            return answer(outcome)
        }
        wait(answer)
    }

    /// Stops what is under way, and returns when the thread has ended.
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
                .failure(LocalFailure(.failed, "Another backup is being made or put back. Try again later.")))
        }
        if let timer = current?.timer { served.loop.cancel(timer) }
        let next = Work()
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
                    case .failure(let failure): end(with: .failure(Self.failure(failure)))
                    }
                })
        } catch {
            current = nil
            answer(.failure(LocalFailure(.failed, "It can't be begun: \(error)")))
        }
    }

    /// Cuts off the logs that could not be while the backup was read from the databases.
    private func cutOffLogs() {
        for lane in Lane.allCases {
            served.store?.submit(to: lane) { (store) in
                (store as? SQLiteLane)?.cutOffLog()
            } then: { _ in
                // A store that was closed meanwhile has no log.
            }
        }
    }

    private func makeWorker() throws(NetworkError) -> WorkerThread<BackupJob> {
        let answers: Mailbox<BackupJob> = try served.loop.mailbox { $0.tell() }
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
        schedule(after: Self.silence) { [self] in
            guard let work = current, let waiting = work.waiting else { return }
            let progress = work.watch.progress
            current?.waiting = nil
            schedule(after: Self.patience) { [self] in current?.watch.stop() }
            waiting(.success(.working(bytes: progress.bytes, all: progress.all)))
        }
    }

    private func schedule(after delay: Duration, _ action: @escaping () -> Void) {
        if let timer = current?.timer { served.loop.cancel(timer) }
        current?.timer = served.loop.schedule(after: delay, action)
    }

    private func end(with outcome: Result<BackupReply, LocalFailure>) {
        guard let work = current else { return }
        if let waiting = work.waiting {
            if let timer = work.timer { served.loop.cancel(timer) }
            current = nil
            return waiting(outcome)
        }
        current?.outcome = outcome
        schedule(after: Self.patience) { [self] in current = nil }
    }

    // MARK: Answers

    private func describe(_ summary: BackupSummary, _ path: String) -> BackupDescription {
        var description = BackupDescription(summary, path: path, own: credentials.device)
        let device = description.device.identifier
        if let known = served.account?.devices[device] { description.device.name = known.name }
        return description
    }

    /// Refuses a file in the folder of the store, where a backup could take the place of a database.
    static func demandElsewhere(_ path: String, than folder: String) throws(StoreFailure) {
        let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"
        guard let (place, own) = real(parent, folder), "\(place)/".hasPrefix("\(own)/") else { return }
        throw StoreFailure(.failed, "\(path) lies among the databases of the node; choose another folder")
    }

    /// Where two folders are; nothing if one of them is not there.
    private static func real(_ one: String, _ other: String) -> (String, String)? {
        guard let first = realpath(one, nil) else { return nil }
        defer { free(first) }
        guard let second = realpath(other, nil) else { return nil }
        defer { free(second) }
        return (String(cString: first), String(cString: second))
    }

    private static func failure(_ failure: StoreFailure) -> LocalFailure { LocalFailure(backup: failure) }
}

extension BackupDescription {
    /// What is to be told of a backup to who has that device.
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
    /// Why a backup was not made, or not put back.
    init(backup failure: StoreFailure) {
        let code: Code =
            switch failure.code {
            case .full, .readOnly, .damaged: .storage
            case .newer: .versionMismatch
            default: .failed
            }
        self.init(code, "It was not done, and nothing has changed: \(failure).")
    }
}

/// Something to do with a backup, on its way to the thread and back.
///
/// Sendable although it changes: the queues hand it from the loop to the thread and back, and only one of them has it
/// at a time.
private final class BackupJob: @unchecked Sendable {
    private let watch: BackupWatch
    private let work: @Sendable (BackupWatch) throws(StoreFailure) -> BackupSummary
    /// Called and let go on the loop's thread.
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
