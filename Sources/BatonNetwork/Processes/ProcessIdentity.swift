import CLinux
import Glibc

/// Identifies one process, even across reboots.
///
/// Unlike a process ID, an identity never belongs to another process, so it can be stored.
package struct ProcessIdentity: Hashable, Sendable {
    /// The process ID, which the system may later give to another process.
    package let processID: Int32
    /// The time when the process was started, in clock ticks after the boot of the machine.
    package let startTicks: UInt64
    /// Identifies the boot of the machine.
    package let bootID: String

    /// Creates an identity from stored values.
    package init(processID: Int32, startTicks: UInt64, bootID: String) {
        (self.processID, self.startTicks, self.bootID) = (processID, startTicks, bootID)
    }

    /// Returns the identity of the process that has this process ID now; nil if there is none, or if it has ended.
    package static func find(_ processID: Int32) throws(NetworkError) -> ProcessIdentity? {
        guard let status = try ProcessStatus.read(processID), status.isAlive else { return nil }
        return ProcessIdentity(
            processID: processID, startTicks: status.startTicks, bootID: try currentBootID())
    }

    /// Returns the process ID of the parent of a process; nil if there is no such process.
    ///
    /// The result is 0 if the process has no parent, or if the parent is in another process namespace.
    package static func parent(of processID: Int32) throws(NetworkError) -> Int32? {
        try ProcessStatus.read(processID)?.parent
    }

    /// Returns whether this process has not ended.
    package func isAlive() throws(NetworkError) -> Bool { try status() != nil }

    /// Returns the kernel's status of this process; nil if the process has ended.
    private func status() throws(NetworkError) -> ProcessStatus? {
        guard try Self.currentBootID() == bootID, let status = try ProcessStatus.read(processID),
            status.startTicks == startTicks, status.isAlive
        else { return nil }
        return status
    }

    /// Returns the identifier of the machine's current boot.
    package static func currentBootID() throws(NetworkError) -> String {
        let bytes = try FileDescriptor.contents(of: "/proc/sys/kernel/random/boot_id", limit: 64)
        return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
    }
}

/// The contents of `/proc/PID/stat`.
struct ProcessStatus {
    /// The name of the program; the kernel keeps only its first 15 bytes.
    let name: String
    /// The process ID of the parent.
    let parent: Int32
    /// The process group.
    let group: Int32
    /// The process group in the foreground of the process's terminal; -1 without a terminal.
    let foregroundGroup: Int32
    /// The state as a letter; `Z` and `X` mean that the process has ended.
    let state: Character
    /// The time when the process was started, in clock ticks after the boot of the machine.
    let startTicks: UInt64

    /// Parses the line of the file; nil if it is malformed.
    ///
    /// The second field is the name of the command in parentheses. The name may contain anything, even parentheses,
    /// spaces and line ends. No later field can contain a parenthesis, so the fields are counted from the last
    /// parenthesis.
    init?(parsing line: [UInt8]) {
        guard let end = line.lastIndex(of: UInt8(ascii: ")")),
            let start = line.firstIndex(of: UInt8(ascii: "(")), start < end
        else { return nil }
        let rest = String(decoding: line[(end + 1)...], as: UTF8.self)
        let fields = rest.split(whereSeparator: \.isWhitespace)
        // In the manual, the state is field 3, the parent 4, the group 5, the foreground group 8, and the start time
        // 22.
        guard fields.count > 19, let state = fields[0].first, fields[0].count == 1,
            let parent = Int32(fields[1]), let group = Int32(fields[2]),
            let foregroundGroup = Int32(fields[5]),
            let startTicks = UInt64(fields[19])
        else { return nil }
        name = String(decoding: line[(start + 1)..<end], as: UTF8.self)
        (self.parent, self.group, self.foregroundGroup) = (parent, group, foregroundGroup)
        (self.state, self.startTicks) = (state, startTicks)
    }

    /// Reads the status of a process; nil if there is no such process.
    static func read(_ processID: Int32) throws(NetworkError) -> ProcessStatus? {
        let path = "/proc/\(processID)/stat"
        do throws(NetworkError) {
            let line = try FileDescriptor.contents(of: path, limit: 4096)
            guard let status = ProcessStatus(parsing: line) else {
                throw NetworkError(.malformed, operation: "read \(path)", reason: "its format is unknown")
            }
            return status
        } catch  where error.code == .notFound {
            return nil
        }
    }

    /// True if the process has not ended; a zombie has ended.
    var isAlive: Bool { state != "Z" && state != "X" }
}
