import BatonCore
import BatonNetwork
import BatonStore

/// Keeps the revocations of an account in their files, and tries again after a while if the disk refuses them.
///
/// The object belongs to the loop's thread.
final class RevocationKeeper {
    private let files: RevocationFiles
    private let store: StoreThreads
    private let pause: Duration
    /// Set for the next attempt after a failure.
    private let timer: OwnedTimer
    /// The statements that both files have; nil if that is not known.
    private var kept: [RecordKey]?
    private var wanted: [RecordKey] = []
    /// Called once the files have the wanted revocations.
    private var waiting: [(StoreFailure?) -> Void] = []
    private var isWriting = false
    private var isStopped = false

    /// Begins with what was found in the files.
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

    /// Saves these revocations, which replace the earlier ones; `then` is called once both files would survive a power
    /// loss, or with the reason why they may not have them yet.
    func keep(_ keys: [RecordKey], then: @escaping (StoreFailure?) -> Void) {
        wanted = keys
        waiting.append(then)
        writeNext()
    }

    /// Makes no further attempt.
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
                // One file may have been written, so it is not known what both files have.
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
