/// A setting that a person can change on one machine; other machines are never sent it.
package enum Setting: String, CaseIterable, Sendable {
    /// The most items that one app may have in all its indexes, counted over its writes on this machine.
    case itemsPerApp = "items-per-app"
    /// The most bytes of attributes and domains that those items may have.
    case bytesPerApp = "bytes-per-app"
    /// The number of days that expired records stay on this machine, hidden.
    case expiredDays = "expired-days"
    /// The number of days that an activity that ended here can be gone back to, on any device; 0 keeps none.
    case finishedDays = "finished-days"
    /// Whether activity on this machine stays on it; 1 keeps everything here.
    case `private`

    /// The default value.
    package var usual: Int64 {
        switch self {
        case .itemsPerApp: 5_000_000
        case .bytesPerApp: 4 << 30
        case .expiredDays: 1
        case .finishedDays: 30
        case .private: 0
        }
    }

    /// The allowed values.
    package var range: ClosedRange<Int64> {
        switch self {
        case .itemsPerApp: 0...1_000_000_000
        case .bytesPerApp: 0...1 << 50
        case .expiredDays: 1...36_500
        case .finishedDays: 0...36_500
        case .private: 0...1
        }
    }

    /// A one-line description for a person.
    package var summary: String {
        switch self {
        case .itemsPerApp: "items that one app may have in its indexes"
        case .bytesPerApp: "bytes that those items may have"
        case .expiredDays: "days that expired data stays on the disk, hidden"
        case .finishedDays: "days that ended activities can still be continued, or 0"
        case .private: "1 while no activity may leave this machine"
        }
    }
}

/// The settings of one machine.
package struct Settings: Equatable, Sendable {
    private var values: [Setting: Int64] = [:]
    /// The switches of apps that are off.
    private var off: Set<AppSwitchName> = []

    /// Reads the settings that the store keeps; skips notes that can't be read and settings of newer versions.
    package init(_ notes: [LocalNote]) {
        for note in notes {
            let name = String(decoding: note.name, as: UTF8.self)
            guard let value = note.value.flatMap(Self.number) else { continue }
            if let setting = Setting(rawValue: name) {
                if setting.range.contains(value) { values[setting] = value }
            } else if let name = AppSwitchName(name), value == 0 {
                off.insert(name)
            }
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

    /// Whether everything that is done here stays on this machine.
    package var isPrivate: Bool { self[.private] != 0 }

    /// Whether a setting differs from its default.
    package func isSet(_ setting: Setting) -> Bool { values[setting] != nil }

    /// Changes a setting; nil restores the default.
    package mutating func set(_ setting: Setting, to value: Int64?) { values[setting] = value }

    /// Returns the note that stores a setting.
    package func note(of setting: Setting) -> LocalNote {
        LocalNote(
            space: .setting, name: Array(setting.rawValue.utf8),
            value: values[setting].map(Self.bytes))
    }

    private static func bytes(_ value: Int64) -> [UInt8] {
        var writer = CBORWriter()
        writer.integer(value)
        return writer.bytes
    }

    // MARK: Apps

    /// Whether a switch of an app is off.
    package func isOff(_ switched: AppSwitch, for app: String) -> Bool {
        off.contains(AppSwitchName(switched, of: app))
    }

    /// Returns the apps that have this switch off.
    package func apps(off switched: AppSwitch) -> Set<String> {
        Set(off.filter { $0.switched == switched }.map(\.app))
    }

    /// The apps that have a switch off, in order.
    package var switchedApps: [String] {
        Set(off.map(\.app)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Changes a switch of an app.
    package mutating func set(_ name: AppSwitchName, isOff: Bool) {
        if isOff { off.insert(name) } else { off.remove(name) }
    }

    /// Whether one more switch can be turned off.
    package var hasRoom: Bool { off.count < Self.switchesMost }

    /// The most switches that are off.
    package static let switchesMost = 500

    /// Returns the note that stores a switch of an app.
    package func note(of name: AppSwitchName) -> LocalNote {
        LocalNote(
            space: .setting, name: Array(name.text.utf8), value: off.contains(name) ? Self.bytes(0) : nil)
    }

    // MARK: Codec

    package func encode(to writer: inout CBORWriter) {
        let all = (values.map { ($0.key.rawValue, $0.value) } + off.map { ($0.text, 0) })
            .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
        writer.array(count: all.count)
        for (name, value) in all {
            writer.array(count: 2)
            writer.text(name)
            writer.integer(value)
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        let pairs = try reader.array(upTo: 1000) { (reader) throws(CBORError) in
            try reader.array(count: 2)
            return (try reader.text(), try reader.integer())
        }
        for (name, value) in pairs {
            if let setting = Setting(rawValue: name) {
                values[setting] = value
            } else if let name = AppSwitchName(name), value == 0 {
                off.insert(name)
            }
        }
    }
}
