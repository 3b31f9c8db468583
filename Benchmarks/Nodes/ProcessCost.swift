import Foundation
import Support

/// The cost of a process since its start, as the system reports it.
struct ProcessCost {
    /// The number of voluntary context switches: a thread slept and was woken later.
    private(set) var sleeps = 0.0
    /// The processor time in seconds.
    private(set) var processor = 0.0

    init(of process: pid_t) throws {
        for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task") {
            let status = File.read("/proc/\(process)/task/\(thread)/status") ?? ""
            let row = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            sleeps += Double((row ?? "").filter(\.isNumber)) ?? 0
            // Nanoseconds on a processor, nanoseconds waiting for one, and how often.
            let scheduled = File.read("/proc/\(process)/task/\(thread)/schedstat") ?? ""
            processor += (scheduled.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
        }
    }

    static func - (left: Self, right: Self) -> Self {
        var difference = left
        difference.sleeps -= right.sleeps
        difference.processor -= right.processor
        return difference
    }
}
