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
