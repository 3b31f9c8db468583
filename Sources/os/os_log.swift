/// Writes a message to a log, as a message of this type.
@_disfavoredOverload
public func os_log(
    _ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage, file: StaticString = #fileID,
    line: UInt = #line
) { log.write(message, LogLevel(type), file, line) }

/// Writes a message to the default log, with the default type.
@_disfavoredOverload
public func os_log(_ message: OSLogMessage, file: StaticString = #fileID, line: UInt = #line) {
    OSLog.default.write(message, .notice, file, line)
}

/// Writes a message with format specifiers of the C library, such as `"%{public}@ has %d notes"`, to a log.
public func os_log(
    _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default,
    type: OSLogType = .default, _ args: any CVarArg...
) { unsafe os_log(type, dso: dso, log: log, message, args) }

/// Writes a message with format specifiers of the C library, such as `"%{public}@ has %d notes"`, to a log.
public func os_log(
    _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
    _ args: any CVarArg...
) { unsafe os_log(type, dso: dso, log: log, message, args) }

private func os_log(
    _ type: OSLogType, dso: UnsafeRawPointer?, log: OSLog, _ format: StaticString, _ values: [any CVarArg]
) { log.write(CMessage(values).message(of: format.description), LogLevel(type), "", 0) }

/// Makes a message from a format of the C library and the values for it.
///
/// A number is passed to the C library only if the specifier is for that kind of number. For any other value, its
/// description is used.
private struct CMessage {
    private let values: [any CVarArg]

    init(_ values: [any CVarArg]) { self.values = values }

    func message(of format: String) -> OSLogMessage {
        var parts: [OSLogInterpolation.Part] = []
        var (rest, next) = (Substring(format), 0)
        while let start = rest.firstIndex(of: "%") {
            parts.append(.words(String(rest[..<start])))
            rest = rest[start...].dropFirst()
            guard let specifier = Self.specifier(of: rest) else {
                parts.append(.words("%"))
                // In a format, `%%` means a single `%`.
                if rest.first == "%" { rest = rest.dropFirst() }
                continue
            }
            rest = rest[specifier.end...]
            guard values.indices.contains(next) else {
                parts.append(.words("<no value>"))
                continue
            }
            let (text, isNumber) = Self.text(of: values[next], specifier)
            parts.append(.value(text, isPublic: isNumber, specifier.privacy))
            next += 1
        }
        return OSLogMessage(parts: parts + [.words(String(rest))])
    }

    /// A format specifier after its `%`: the privacy (`{public}`), flags, width and precision, and the kind of value.
    private struct Specifier {
        let privacy: OSLogPrivacy
        let options: Substring
        let kind: Character
        let end: String.Index
    }

    private static func specifier(of text: Substring) -> Specifier? {
        var (rest, privacy) = (text, OSLogPrivacy.auto)
        if rest.first == "{", let end = rest.firstIndex(of: "}") {
            let words = rest[..<end].dropFirst().split(separator: ",").map { $0.filter { $0 != " " } }
            if words.contains("public") { privacy = .public }
            if words.contains("private") { privacy = .private }
            if words.contains("sensitive") { privacy = .sensitive }
            rest = rest[end...].dropFirst()
        }
        let options = rest.prefix { "0123456789.+-# ".contains($0) }
        rest = rest.dropFirst(options.count)
        rest = rest.drop { "hlqLzjt".contains($0) }
        guard let kind = rest.first, kind.isLetter || kind == "@", options.count <= 8 else { return nil }
        return Specifier(
            privacy: privacy, options: options, kind: kind, end: rest.dropFirst().startIndex)
    }

    /// Returns the text of a value, and whether the value is a number.
    private static func text(of value: any CVarArg, _ specifier: Specifier) -> (String, isNumber: Bool) {
        let format = "%\(specifier.options)"
        if let number = value as? any BinaryInteger {
            guard "diuxXo".contains(specifier.kind) else { return ("\(number)", true) }
            return (CFormat.text("\(format)ll\(specifier.kind)", Int64(truncatingIfNeeded: number)), true)
        }
        if let number = (value as? Double) ?? (value as? Float).map({ Double($0) }) {
            guard "fFeEgGaA".contains(specifier.kind) else { return ("\(number)", true) }
            return (CFormat.text("\(format)\(specifier.kind)", number), true)
        }
        if specifier.kind == "s", let text = unsafe value as? UnsafePointer<CChar> {
            return (unsafe String(cString: text), false)
        }
        return ("\(value)", false)
    }
}
