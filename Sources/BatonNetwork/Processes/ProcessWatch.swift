import CLinux
import Glibc

/// Waits for the end of a process, which need not be a child.
///
/// The loop keeps it alive until it has told, or is closed.
package final class ProcessWatch {
    /// The loop on which it lives.
    private let loop: EventLoop
    /// Readable when the process ends; nothing if it was gone before.
    private var process: FileDescriptor?
    /// The registration with the loop.
    private var watch: EventLoop.WatchToken?
    /// Who wants to know; released when told.
    private var ended: (() -> Void)?

    /// Calls back once, in a later turn, when the process that has this number now has ended.
    package convenience init(
        _ processID: Int32, on loop: EventLoop, ended: @escaping () -> Void
    ) throws(NetworkError) {
        try self.init(processID, on: loop, ended: ended) { () throws(NetworkError) in true }
    }

    /// Calls back once, in a later turn, when that very process has ended; one that has its number is not meant.
    package convenience init(
        _ identity: ProcessIdentity, on loop: EventLoop, ended: @escaping () -> Void
    ) throws(NetworkError) {
        try self.init(identity.processID, on: loop, ended: ended) { () throws(NetworkError) in
            try identity.isAlive()
        }
    }

    /// Watches, if the process is the one that is meant, which is asked when it can't change any more.
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

    /// Gives the watch up; nothing is told.
    package func close() {
        ended = nil
        if let process = process.take(), let watch { loop.unwatch(watch, of: process) }
        watch = nil
    }

    /// Tells, once.
    private func tell() {
        let ended = ended
        close()
        ended?()
    }
}
