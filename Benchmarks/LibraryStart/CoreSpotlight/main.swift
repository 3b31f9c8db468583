import CoreSpotlight

// The same as the floor, by a program that could index.
let date = Date()
let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
let classes: [AnyClass] = [
    NSObject.self, NSAttributedString.self, NSKeyedArchiver.self, JSONEncoder.self, DateFormatter.self,
    InputStream.self, Process.self, CSSearchableIndex.self, CSSearchableItem.self, NSUserActivity.self,
]
print(
    status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? "",
    date.timeIntervalSince1970 > 0 && Set(classes.map { ObjectIdentifier($0) }).count == classes.count)
