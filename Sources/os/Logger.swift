/// Writes messages of a part of an app to the log.
///
/// They go to the journal of the machine (`journalctl SUBSYSTEM=org.example.notes`), or to standard error if there is
/// no journal. Private values are written as `<private>`, unless the environment has `BATON_LOG_PRIVATE=1`.
public struct Logger: Sendable {
    private let log: OSLog

    /// Creates a logger without a subsystem.
    public init() { log = .default }

    /// Creates a logger of a part of an app.
    public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }

    /// Creates a logger that writes for the same part of an app as an `OSLog`.
    public init(_ logObj: OSLog) { log = logObj }

    /// Writes a message that helps a person to understand what happened.
    public func log(_ message: OSLogMessage, file: StaticString = #fileID, line: UInt = #line) {
        log.write(message, .notice, file, line)
    }

    /// Writes a message at a level.
    public func log(
        level: OSLogType, _ message: OSLogMessage, file: StaticString = #fileID, line: UInt = #line
    ) { log.write(message, LogLevel(level), file, line) }

    /// Writes a message that traces single steps.
    public func trace(_ message: OSLogMessage, file: StaticString = #fileID, line: UInt = #line) {
        log.write(message, .trace, file, line)
    }

    /// Writes a message for debugging.
    public func debug(_ message: OSLogMessage, file: StaticString = #fileID, line: UInt = #line) {
        log.write(message, .debug, file, line)
    }

    /// Writes a message that may help.
    public func info(_ message: OSLogMessage, file: StaticString = #fileID, line: UInt = #line) {
        log.write(message, .info, file, line)
    }

    /// Writes a message that helps a person to understand what happened.
    public func notice(_ message: OSLogMessage, file: StaticString = #fileID, line: UInt = #line) {
        log.write(message, .notice, file, line)
    }

    /// Writes a message of something that may go wrong.
    public func warning(_ message: OSLogMessage, file: StaticString = #fileID, line: UInt = #line) {
        log.write(message, .warning, file, line)
    }

    /// Writes a message of something that went wrong.
    public func error(_ message: OSLogMessage, file: StaticString = #fileID, line: UInt = #line) {
        log.write(message, .error, file, line)
    }

    /// Writes a message of something that must not happen.
    public func critical(_ message: OSLogMessage, file: StaticString = #fileID, line: UInt = #line) {
        log.write(message, .critical, file, line)
    }

    /// Writes a message of a mistake in the program.
    public func fault(_ message: OSLogMessage, file: StaticString = #fileID, line: UInt = #line) {
        log.write(message, .fault, file, line)
    }
}

/// A part of an app that writes to the log.
public final class OSLog: Sendable {
    private let subsystem: String
    private let category: String
    /// The output of the messages; nil to discard them.
    private let output: LogOutput?

    /// Creates an object for a part of an app.
    public convenience init(subsystem: String, category: String) {
        self.init(subsystem: subsystem, category: category, output: .shared)
    }

    package init(subsystem: String, category: String, output: LogOutput?) {
        (self.subsystem, self.category, self.output) = (subsystem, category, output)
    }

    /// The log for messages without a subsystem.
    public static let `default` = OSLog(subsystem: "", category: "")
    /// A log that discards all messages.
    public static let disabled = OSLog(subsystem: "", category: "", output: nil)

    /// Returns whether messages of a kind are written.
    public func isEnabled(type: OSLogType) -> Bool { output != nil }

    func write(_ message: OSLogMessage, _ level: LogLevel, _ file: StaticString, _ line: UInt) {
        guard let output else { return }
        output.write(
            LogEntry(
                message.text(showsPrivate: output.showsPrivate), level, subsystem: subsystem,
                category: category, file: file.description, line: line))
    }
}

/// The kind of a message.
public struct OSLogType: RawRepresentable, Equatable, Sendable {
    /// The number of the kind.
    public let rawValue: UInt8

    /// Creates a kind from its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Creates a kind from its number.
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    /// Messages that help a person to understand what happened.
    public static let `default` = OSLogType(0)
    /// Messages that may help.
    public static let info = OSLogType(1)
    /// Messages for debugging.
    public static let debug = OSLogType(2)
    /// Something that went wrong.
    public static let error = OSLogType(16)
    /// A mistake in the program.
    public static let fault = OSLogType(17)
}
