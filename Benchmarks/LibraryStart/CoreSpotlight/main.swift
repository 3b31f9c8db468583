import CoreSpotlight

// The same as the floor, by a program that could index.
let date = Date()
let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
print(
    status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? "",
    date.timeIntervalSince1970 > 0 && CSSearchableIndex.self !== NSObject.self)
