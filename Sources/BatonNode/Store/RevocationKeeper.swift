import BatonCore
import BatonNetwork
import BatonStore

/// Writes the revocations of an account to their files.
///
/// If the disk refuses them, tries again after a while.
///
/// The object belongs to the loop's thread.
final class RevocationKeeper {
    private let files: RevocationFiles
    private let store: StoreThreads
    private let pause: Duration
    /// The timer for the next attempt after a failure.
    private let timer: OwnedTimer
    /// The statements that both files have; nil if they are unknown.
    private var kept: [RecordKey]?
    private var wanted: [RecordKey] = []
    /// The callbacks that are called once the files have the wanted revocations.
    private var waiting: [(StoreFailure?) -> Void] = []
    private var isWriting = false
    private var isStopped = false

    /// Begins with the revocations that were found in the files.
    init(
        _ found: RevocationFiles.Found, in files: RevocationFiles, _ store: StoreThreads, on loop: EventLoop,
        pause: Duration
    ) {
        self.files = files
        self.store = store
        self.pause = pause
        kept = found.agreed
        timer = OwnedTimer(on: loop)
    }

    /// Saves these revocations in place of the earlier ones.
    ///
    /// `then` is called once both files would survive a power failure. If writing fails, `then` gets the failure.
    func keep(_ keys: [RecordKey], then: @escaping (StoreFailure?) -> Void) {
        wanted = keys
        waiting.append(then)
        writeNext()
    }

    /// Stops trying to write the files.
    func stop() {
        isStopped = true
        timer.cancel()
    }

    private func writeNext() {
        guard !isWriting else { return }
        guard kept != wanted else { return answer(nil) }
        isWriting = true
        let keys = wanted
        store.submit(to: .activities) { [files] (_) throws(StoreFailure) in
            try files.write(keys)
        } then: { [self] result in
            isWriting = false
            switch result {
            case .success:
                kept = keys
                timer.cancel()
                writeNext()
            case .failure(let failure):
                // One of the files may have been written. Therefore, it is unknown whether both files have the same
                // statements.
                kept = nil
                answer(failure)
                if !isStopped { timer.set(after: pause) { [unowned self] in writeNext() } }
            }
        }
    }

    private func answer(_ failure: StoreFailure?) {
        let answered = waiting
        waiting = []
        for then in answered { then(failure) }
    }
}
