import BatonCore
import BatonNetwork
import Glibc

extension WallTime {
    /// What the machine's clock shows.
    static var now: WallTime { WallTime(milliseconds: wallClock()) }

    /// The day here, as the names of files tell it.
    static var day: String {
        var seconds = time_t(wallClock() / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
            .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
    }

    /// Whole seconds since 1970, as certificates count.
    var seconds: Int64 { milliseconds / 1000 }
}

extension ProcessName {
    /// The process that the network's watch understands.
    var identity: ProcessIdentity {
        ProcessIdentity(processID: number, startTicks: started, bootID: boot)
    }

    /// The note with which an activity of this process is remembered, or with nothing, forgotten.
    static func note(_ process: ProcessName?, for name: ActivityName) -> LocalNote {
        var writer = CBORWriter()
        process?.encode(to: &writer)
        return LocalNote(space: .process, name: name.key.name, value: process == nil ? nil : writer.bytes)
    }

    /// The process that a note names; nothing if it can't be read.
    init?(_ note: LocalNote) {
        guard let value = note.value else { return nil }
        do {
            self = try CBORReader.whole(value[...]) { (reader) throws(CBORError) in
                try ProcessName(from: &reader)
            }
        } catch {
            return nil
        }
    }
}
