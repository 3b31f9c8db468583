/// Writes log messages for a part of an app.
///
/// The messages go to the journal of the machine (`journalctl SUBSYSTEM=org.example.notes`). If there is no journal,
/// they go to standard error. Private values are written as `<private>`, unless the environment variable
/// `BATON_LOG_PRIVATE` is 1.
public struct Logger: Sendable {
    private let log: OSLog

    /// Creates a logger without a subsystem.
    public init() { log = .default }

    /// Creates a logger for a part of an app.
    public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }

    /// Creates a logger that writes to an `OSLog`.
    public init(_ logObj: OSLog) { log = logObj }

    /// Writes a message at the notice level, which helps a person to understand what happened.
    public func log(_ message: OSLogMessage, file: StaticString = #fileID, line: UInt = #line) {
        log.write(message, .notice, file, line)
    }

    /// Writes a message at the level of this type.
    public func log(
        level: OSLogType, _ message: OSLogMessage, file: StaticString = #fileID, line: UInt = #line
    ) { log.write(message, LogLevel(level), file, line) }

    /// Writes a message at the trace level, about single steps of the program.
    public func trace(_ message: OSLogMessage, file: StaticString = #fileID, line: UInt = #line) {
        log.write(message, .trace, file, line)
    }

    /// Writes a message at the debug level, which helps to find mistakes.
    public func debug(_ message: OSLogMessage, file: StaticString = #fileID, line: UInt = #line) {
        log.write(message, .debug, file, line)
    }

    /// Writes a message at the info level, which may be useful.
    public func info(_ message: OSLogMessage, file: StaticString = #fileID, line: UInt = #line) {
        log.write(message, .info, file, line)
    }

    /// Writes a message at the notice level, which helps a person to understand what happened.
    public func notice(_ message: OSLogMessage, file: StaticString = #fileID, line: UInt = #line) {
        log.write(message, .notice, file, line)
    }

    /// Writes a message at the warning level, about something that may go wrong.
    public func warning(_ message: OSLogMessage, file: StaticString = #fileID, line: UInt = #line) {
        log.write(message, .warning, file, line)
    }

    /// Writes a message at the error level, about something that went wrong.
    public func error(_ message: OSLogMessage, file: StaticString = #fileID, line: UInt = #line) {
        log.write(message, .error, file, line)
    }

    /// Writes a message at the critical level, about something that must not happen.
    public func critical(_ message: OSLogMessage, file: StaticString = #fileID, line: UInt = #line) {
        log.write(message, .critical, file, line)
    }

    /// Writes a message at the fault level, about a mistake in the program.
    public func fault(_ message: OSLogMessage, file: StaticString = #fileID, line: UInt = #line) {
        log.write(message, .fault, file, line)
    }
}

/// The log of a part of an app, which is identified by a subsystem and a category.
public final class OSLog: Sendable {
    private let subsystem: String
    private let category: String
    /// The output for the messages; nil if messages are discarded.
    private let output: LogOutput?

    /// Creates a log for a part of an app.
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

    /// Returns whether messages of a type are written.
    public func isEnabled(type: OSLogType) -> Bool { output != nil }

    func write(_ message: OSLogMessage, _ level: LogLevel, _ file: StaticString, _ line: UInt) {
        guard let output else { return }
        output.write(
            LogEntry(
                message.text(showsPrivate: output.showsPrivate), level, subsystem: subsystem,
                category: category, file: file.description, line: line))
    }
}

/// The type of a message, which decides its level.
public struct OSLogType: RawRepresentable, Equatable, Sendable {
    /// The number of the type.
    public let rawValue: UInt8

    /// Creates a type from its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Creates a type from its number.
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    /// A message that helps a person to understand what happened.
    public static let `default` = OSLogType(0)
    /// A message that may be useful.
    public static let info = OSLogType(1)
    /// A message that helps to find mistakes.
    public static let debug = OSLogType(2)
    /// A message about something that went wrong.
    public static let error = OSLogType(16)
    /// A message about a mistake in the program.
    public static let fault = OSLogType(17)
}
