import Foundation
import Support

/// What a process has cost since it began, by what the system says of it.
struct ProcessCost {
    /// How often a thread of it had gone to sleep, and so was woken later.
    private(set) var sleeps = 0.0
    /// How many seconds of processor it took.
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
