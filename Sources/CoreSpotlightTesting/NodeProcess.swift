import Foundation

/// The process of a node, which a test can end and start again.
final class NodeProcess: @unchecked Sendable {
    // The lock protects the properties below.
    private let lock = NSLock()
    private var process: Process?
    private var boundAddress: String?

    /// The address at which the node listens; it stays the same when the node is started again.
    var address: String? {
        get { lock.withLock { boundAddress } }
        set { lock.withLock { boundAddress = newValue } }
    }

    var isRunning: Bool { lock.withLock { process?.isRunning ?? false } }

    /// Starts a node, and appends its log messages to a file.
    func start(_ program: URL, _ words: [String], _ environment: [String: String], log: URL) throws {
        let process = Process()
        (process.executableURL, process.arguments, process.environment) = (program, words, environment)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try FileHandle.appending(to: log)
        try lock.withLock {
            precondition(self.process == nil, "the node runs already")
            try process.run()
            self.process = process
        }
    }

    /// Sends the node a signal that ends it, and waits until it has ended.
    func end(with signal: Int32) {
        let process = lock.withLock {
            defer { self.process = nil }
            return self.process
        }
        guard let process else { return }
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
    }
}
