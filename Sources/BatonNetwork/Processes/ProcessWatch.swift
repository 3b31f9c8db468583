import CLinux
import Glibc

/// Waits for the end of a process, which need not be a child.
///
/// The loop keeps the watch alive until it has called back or is closed.
package final class ProcessWatch {
    private let loop: EventLoop
    /// A `pidfd`, readable when the process has ended; nil if the process had ended before.
    private var process: FileDescriptor?
    /// The registration with the loop.
    private var watch: EventLoop.WatchToken?
    /// Called once when the process has ended, and then released.
    private var ended: (() -> Void)?

    /// Calls back once, in a later turn, when the process that now has this process ID has ended.
    package convenience init(
        _ processID: Int32, on loop: EventLoop, ended: @escaping () -> Void
    ) throws(NetworkError) {
        try self.init(processID, on: loop, ended: ended) { () throws(NetworkError) in true }
    }

    /// Calls back once, in a later turn, when a process has ended, even if its process ID is in use again.
    package convenience init(
        _ identity: ProcessIdentity, on loop: EventLoop, ended: @escaping () -> Void
    ) throws(NetworkError) {
        try self.init(identity.processID, on: loop, ended: ended) { () throws(NetworkError) in
            try identity.isAlive()
        }
    }

    /// Watches a process; `isMeant` is asked once the `pidfd` is open, when the process ID can no longer be reused.
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

    /// Ends the watch without a call back.
    package func close() {
        ended = nil
        if let process = process.take(), let watch { loop.unwatch(watch, of: process) }
        watch = nil
    }

    /// Calls back once.
    private func tell() {
        let ended = ended
        close()
        ended?()
    }
}

extension ProcessIdentity {
    /// Opens a descriptor that is readable once the process has ended, for programs without an event loop; nil if it
    /// has ended already.
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
