/// An entry of the log: a message, its level, and the code that wrote it.
package struct LogEntry: Sendable {
    package var message: String
    package var level: LogLevel
    package var subsystem: String
    package var category: String
    /// The file and the line of the code that wrote the entry; if they are not known, the file is empty.
    package var file: String
    package var line: UInt

    package init(
        _ message: String, _ level: LogLevel, subsystem: String, category: String, file: String, line: UInt
    ) {
        (self.message, self.level, self.subsystem, self.category) = (message, level, subsystem, category)
        (self.file, self.line) = (file, line)
    }

    /// Returns the entry as a datagram in the native protocol of the journal.
    func datagram(of program: String) -> [UInt8] {
        var bytes: [UInt8] = []
        Self.append("MESSAGE", message, to: &bytes)
        Self.append("PRIORITY", String(level.priority), to: &bytes)
        Self.append("SYSLOG_IDENTIFIER", program, to: &bytes)
        if !subsystem.isEmpty { Self.append("SUBSYSTEM", subsystem, to: &bytes) }
        if !category.isEmpty { Self.append("CATEGORY", category, to: &bytes) }
        if !file.isEmpty {
            Self.append("CODE_FILE", file, to: &bytes)
            Self.append("CODE_LINE", String(line), to: &bytes)
        }
        return bytes
    }

    /// Appends a field to a datagram.
    ///
    /// The form is `NAME=value`. If the value has more than one line, the form is the name, the length of the value,
    /// and the value.
    private static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
        bytes += Array(name.utf8)
        let value = Array(value.utf8)
        let newline = UInt8(ascii: "\n")
        if value.contains(newline) {
            bytes.append(newline)
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: UInt64(value.count) >> (8 * UInt64($0))) }
        } else {
            bytes.append(UInt8(ascii: "="))
        }
        bytes += value
        bytes.append(newline)
    }

    /// The entry as a line of text for standard error.
    var text: String {
        let source = [subsystem, category].filter { !$0.isEmpty }.joined(separator: ":")
        return "\(level): \(source.isEmpty ? "" : "[\(source)] ")\(message)\n"
    }
}

/// The level of an entry, which says how severe it is.
package enum LogLevel: String, CustomStringConvertible, Sendable {
    case trace, debug, info, notice, warning, error, critical, fault

    package var description: String { rawValue }

    /// The number that syslog and the journal use for the level.
    package var priority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical, .fault: 2
        }
    }

    init(_ type: OSLogType) {
        self =
            switch type {
            case .debug: .debug
            case .info: .info
            case .error: .error
            case .fault: .fault
            default: .notice
            }
    }
}
