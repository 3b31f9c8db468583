import BatonCore
import BatonNetwork

/// Watches processes, so that an activity ends with its process; one process for each activity.
final class ActivityProcesses {
    private let loop: EventLoop
    private let log: Log
    /// The watches, including those of some processes that have ended.
    private var watches: [ActivityName: (process: ProcessName, watch: ProcessWatch)] = [:]
    /// Called with a process that has ended, and with the activity for which it was watched.
    var ended: (ProcessName, ActivityName) -> Void = { _, _ in }

    init(on loop: EventLoop, log: Log) { (self.loop, self.log) = (loop, log) }

    /// Watches this process for an activity, instead of any earlier process; nil stops watching.
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

    /// Stops watching a process for that activity.
    func forget(_ name: ActivityName) { watches.removeValue(forKey: name)?.watch.close() }

    /// Closes all watches; the loop holds their callbacks until then.
    func close() {
        for (_, watch) in watches.values { watch.close() }
        watches = [:]
    }
}
