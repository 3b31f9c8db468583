import Foundation

// The floor of what a program costs that imports CoreSpotlight: the peak of its memory, in KiB, and nothing else. It needs
// those parts of Foundation that the classes of CoreSpotlight stand on, so that both programs are linked with them.
let date = Date()
let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
let classes: [AnyClass] = [
    NSObject.self, NSAttributedString.self, NSKeyedArchiver.self, JSONEncoder.self, DateFormatter.self,
    InputStream.self, Process.self,
]
print(
    status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? "",
    date.timeIntervalSince1970 > 0 && Set(classes.map { ObjectIdentifier($0) }).count == classes.count)
