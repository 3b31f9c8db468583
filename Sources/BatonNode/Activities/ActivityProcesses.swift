import BatonCore
import BatonNetwork

/// Watches one process for each activity, so that an activity ends with its process.
final class ActivityProcesses {
    private let loop: EventLoop
    private let log: Log
    /// The watched process of each activity.
    ///
    /// Some of these processes may have ended.
    private var watches: [ActivityName: (process: ProcessName, watch: ProcessWatch)] = [:]
    /// Called when a process has ended, with the process and its activity.
    var ended: (ProcessName, ActivityName) -> Void = { _, _ in }

    init(on loop: EventLoop, log: Log) { (self.loop, self.log) = (loop, log) }

    /// Watches a process for an activity, and stops watching any earlier process for it.
    ///
    /// If the process is nil, only stops watching.
    func watch(_ process: ProcessName?, for name: ActivityName) {
        guard watches[name]?.process != process else { return }
        forget(name)
        guard let process else { return }
        do {
            let watch = try ProcessWatch(process.identity, on: loop) { [self] in ended(process, name) }
            watches[name] = (process, watch)
        } catch {
            log.tell(
                "can't watch the process of an activity, so the activity will not end with the process: \(error)"
            )
        }
    }

    /// Stops watching the process for an activity.
    func forget(_ name: ActivityName) { watches.removeValue(forKey: name)?.watch.close() }

    /// Closes all watches.
    ///
    /// Until a watch is closed, the loop holds its callback.
    func close() {
        for (_, watch) in watches.values { watch.close() }
        watches = [:]
    }
}
