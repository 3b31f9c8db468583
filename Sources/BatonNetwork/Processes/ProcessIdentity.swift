import CLinux
import Glibc

/// One process of one start of the machine; unlike its number it is never used again, so it can be stored.
package struct ProcessIdentity: Hashable, Sendable {
    /// The system's number for it, which may later belong to another.
    package let processID: Int32
    /// When it was started, in ticks since the machine was.
    package let startTicks: UInt64
    /// Names the start of the machine.
    package let bootID: String

    /// Takes an identity from where it was stored.
    package init(processID: Int32, startTicks: UInt64, bootID: String) {
        (self.processID, self.startTicks, self.bootID) = (processID, startTicks, bootID)
    }

    /// The process that has this number now; nothing if there is none or it has ended.
    package static func find(_ processID: Int32) throws(NetworkError) -> ProcessIdentity? {
        guard let status = try ProcessStatus.read(processID), status.isAlive else { return nil }
        return ProcessIdentity(
            processID: processID, startTicks: status.startTicks, bootID: try currentBootID())
    }

    /// This process.
    ///
    /// It does not find itself where `/proc` is that of another process namespace.
    package static func own() throws(NetworkError) -> ProcessIdentity {
        guard let identity = try find(getpid()) else {
            throw NetworkError(number: ESRCH, operation: "find this process in /proc")
        }
        return identity
    }

    /// True if that very process has not ended.
    package func isAlive() throws(NetworkError) -> Bool { try status() != nil }

    /// The number of the process that started this one, or took it over; nothing if this one has ended.
    package func parent() throws(NetworkError) -> Int32? { try status()?.parent }

    /// What the kernel says about it while it lives.
    private func status() throws(NetworkError) -> ProcessStatus? {
        guard try Self.currentBootID() == bootID, let status = try ProcessStatus.read(processID),
            status.startTicks == startTicks, status.isAlive
        else { return nil }
        return status
    }

    /// Names this start of the machine.
    package static func currentBootID() throws(NetworkError) -> String {
        let bytes = try FileDescriptor.contents(of: "/proc/sys/kernel/random/boot_id", limit: 64)
        return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
    }
}

/// What the kernel says about a process in `/proc/PID/stat`.
private struct ProcessStatus {
    /// One letter: `Z` and `X` are processes that have ended.
    let state: Character
    /// The process that started it, or took it over.
    let parent: Int32
    /// When it was started, in ticks since the machine was.
    let startTicks: UInt64

    /// Reads the line, or nothing if it is none.
    ///
    /// The second field is the name of the command in parentheses. It may hold anything, parentheses, spaces and
    /// line ends too, so the fields are counted from the last parenthesis on, as no later field can have one.
    init?(parsing line: [UInt8]) {
        guard let end = line.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let rest = String(decoding: line[(end + 1)...], as: UTF8.self)
        let fields = rest.split(whereSeparator: \.isWhitespace)
        // In the manual's count the state is field 3, the parent 4 and the start 22.
        guard fields.count > 19, let state = fields[0].first, fields[0].count == 1,
            let parent = Int32(fields[1]), let startTicks = UInt64(fields[19])
        else { return nil }
        (self.state, self.parent, self.startTicks) = (state, parent, startTicks)
    }

    /// Asks the kernel; nothing if there is no such process.
    static func read(_ processID: Int32) throws(NetworkError) -> ProcessStatus? {
        let path = "/proc/\(processID)/stat"
        do throws(NetworkError) {
            let line = try FileDescriptor.contents(of: path, limit: 4096)
            guard let status = ProcessStatus(parsing: line) else {
                throw NetworkError(.malformed, operation: "read \(path)", reason: "it has another form")
            }
            return status
        } catch  where error.code == .notFound {
            return nil
        }
    }

    /// True if the process has not ended; one whose end nobody has asked for yet has.
    var isAlive: Bool { state != "Z" && state != "X" }
}
