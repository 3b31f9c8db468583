/// Something that a person may set on one machine; it is told to no other.
package enum Setting: String, CaseIterable, Sendable {
    /// How many items one app may have in all of its indexes, by what it writes on this machine.
    case itemsPerApp = "items-per-app"
    /// How many bytes of attributes and domains those may have.
    case bytesPerApp = "bytes-per-app"
    /// How many days what has expired stays on this machine, hidden.
    case expiredDays = "expired-days"
    /// How many days an activity that has ended here can be gone back to, on any device; none is kept with 0.
    case finishedDays = "finished-days"
    /// Whether nothing of what is done here is to leave this machine, with 1.
    case `private`

    /// What holds where nothing is set.
    package var usual: Int64 {
        switch self {
        case .itemsPerApp: 5_000_000
        case .bytesPerApp: 4 << 30
        case .expiredDays: 1
        case .finishedDays: 30
        case .private: 0
        }
    }

    /// What can be set.
    package var range: ClosedRange<Int64> {
        switch self {
        case .itemsPerApp: 0...1_000_000_000
        case .bytesPerApp: 0...1 << 50
        case .expiredDays: 1...36_500
        case .finishedDays: 0...36_500
        case .private: 0...1
        }
    }

    /// What it is, in a line for a person.
    package var summary: String {
        switch self {
        case .itemsPerApp: "items that one app may have in its indexes"
        case .bytesPerApp: "bytes that those may have"
        case .expiredDays: "days that what has expired stays on the disk, hidden"
        case .finishedDays: "days that what has ended can be gone back to, or 0"
        case .private: "1 while nothing of what is done here may leave this machine"
        }
    }
}

/// What is set on a machine.
package struct Settings: SimpleReply {
    package static let kind: UInt64 = 14

    private var values: [Setting: Int64] = [:]

    /// What the store keeps; a note that can't be read, or of a setting of a newer version, sets nothing here.
    package init(_ notes: [LocalNote]) {
        for note in notes {
            guard let setting = Setting(rawValue: String(decoding: note.name, as: UTF8.self)),
                let value = note.value.flatMap(Self.number), setting.range.contains(value)
            else { continue }
            values[setting] = value
        }
    }

    private static func number(_ bytes: [UInt8]) -> Int64? {
        do throws(CBORError) {
            return try CBORReader.whole(bytes[...]) { (reader) throws(CBORError) in try reader.integer() }
        } catch {
            return nil
        }
    }

    package subscript(setting: Setting) -> Int64 { values[setting] ?? setting.usual }

    /// Whether nothing of what is done here is to leave this machine.
    package var isPrivate: Bool { self[.private] != 0 }

    /// Whether something else is set than holds as a rule.
    package func isSet(_ setting: Setting) -> Bool { values[setting] != nil }

    /// Sets it; nothing lets hold again what does as a rule.
    package mutating func set(_ setting: Setting, to value: Int64?) { values[setting] = value }

    /// The note that keeps it.
    package func note(of setting: Setting) -> LocalNote {
        LocalNote(
            space: .setting, name: Array(setting.rawValue.utf8),
            value: values[setting].map { value in
                var writer = CBORWriter()
                writer.integer(value)
                return writer.bytes
            })
    }

    // MARK: Codec

    package func encode(to writer: inout CBORWriter) {
        let all = values.sorted { $0.key.rawValue < $1.key.rawValue }
        writer.array(count: all.count)
        for (setting, value) in all {
            writer.array(count: 2)
            writer.text(setting.rawValue)
            writer.integer(value)
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        let pairs = try reader.array(upTo: 1000) { (reader) throws(CBORError) in
            try reader.array(count: 2)
            return (try reader.text(), try reader.integer())
        }
        for (name, value) in pairs { if let setting = Setting(rawValue: name) { values[setting] = value } }
    }
}
