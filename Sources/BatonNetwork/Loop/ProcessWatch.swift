import CLinux
import Glibc

/// Calls back when a process ends, which need not be a child of this process.
///
/// The loop keeps the watch alive until the watch has called back or is closed.
package final class ProcessWatch {
    private let loop: EventLoop
    /// A `pidfd`, which is readable when the process has ended; nil if the process had already ended.
    private var process: FileDescriptor?
    /// The registration with the loop.
    private var watch: EventLoop.WatchToken?
    /// Called once when the process has ended, and then released.
    private var ended: (() -> Void)?

    /// Calls the closure once, in a later turn, when the process that now has this process ID has ended.
    package convenience init(
        _ processID: Int32, on loop: EventLoop, ended: @escaping () -> Void
    ) throws(NetworkError) {
        try self.init(processID, on: loop, ended: ended) { () throws(NetworkError) in true }
    }

    /// Calls the closure once, in a later turn, when a process has ended, even if another process has its process ID
    /// now.
    package convenience init(
        _ identity: ProcessIdentity, on loop: EventLoop, ended: @escaping () -> Void
    ) throws(NetworkError) {
        try self.init(identity.processID, on: loop, ended: ended) { () throws(NetworkError) in
            try identity.isAlive()
        }
    }

    /// Watches a process.
    ///
    /// `isMeant` is called after the `pidfd` is open, because from then on the process ID can't be used for another
    /// process.
    private init(
        _ processID: Int32, on loop: EventLoop, ended: @escaping () -> Void,
        isMeant: () throws(NetworkError) -> Bool
    ) throws(NetworkError) {
        (self.loop, self.ended) = (loop, ended)
        let (number, error) = SystemCall.attempt { CLinux_pidfd_open(processID) }
        if number < 0 {
            guard error == ESRCH else {
                throw NetworkError(number: error, operation: "watch the process \(processID)")
            }
            loop.afterTurn { self.tell() }
            return
        }
        let opened = FileDescriptor(owning: number)
        guard try isMeant() else {
            loop.afterTurn { self.tell() }
            return
        }
        watch = try loop.watch(opened, for: .readable, abandoned: close) { _ in self.tell() }
        process = consume opened
    }

    /// Ends the watch without calling the closure.
    package func close() {
        ended = nil
        if let process = process.take(), let watch { loop.unwatch(watch, of: process) }
        watch = nil
    }

    /// Ends the watch and calls the closure.
    private func tell() {
        let ended = ended
        close()
        ended?()
    }
}

extension ProcessIdentity {
    /// Opens a descriptor that becomes readable when the process ends; nil if the process has already ended.
    ///
    /// This is for programs without an event loop.
    package func openEnd() throws(NetworkError) -> FileDescriptor? {
        let (number, error) = SystemCall.attempt { CLinux_pidfd_open(processID) }
        if number < 0 {
            if error == ESRCH { return nil }
            throw NetworkError(number: error, operation: "watch the process \(processID)")
        }
        let opened = FileDescriptor(owning: number)
        guard try isAlive() else { return nil }
        return opened
    }
}
