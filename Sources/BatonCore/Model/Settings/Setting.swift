/// A setting that a person can change on one machine; it is never sent to other machines.
package enum Setting: String, CaseIterable, Sendable {
    /// The most items that one app may have in all its indexes, counted over its writes on this machine.
    case itemsPerApp = "items-per-app"
    /// The most bytes of attributes and domains that these items may have.
    case bytesPerApp = "bytes-per-app"
    /// The number of days that expired records stay on this machine, hidden.
    case expiredDays = "expired-days"
    /// The number of days for which an activity that ended here can still be continued, on any device; with 0, none is
    /// saved.
    case finishedDays = "finished-days"
    /// Whether activities of this machine stay on it: 1 keeps all of them here.
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
        case .private: "whether no activity may leave this machine"
        }
    }
}

/// The reason why a machine is private until its person decides: the person's last decision about privacy may be lost.
package enum SettingsDoubt: Int64, CaseIterable, Sendable {
    /// No copy of the settings could be read.
    case lost = 1
    /// An earlier copy, such as that of a restored backup, was made while the machine was private.
    case earlierPrivate = 2
    /// The settings are those of an older copy of the home.
    case older = 3
}

/// The settings of one machine.
package struct Settings: Equatable, Sendable {
    private var values: [Setting: Int64] = [:]
    /// The switches of apps that are off.
    private var off: Set<AppSwitchName> = []
    /// The reason why the machine is private until its person decides; nil if the settings are known to be the latest.
    package private(set) var doubt: SettingsDoubt?

    /// Begins with the default values.
    package init() {}

    /// Returns the value that applies: a machine whose settings are in doubt is private.
    package subscript(setting: Setting) -> Int64 {
        if setting == .private, doubt != nil { return 1 }
        return values[setting] ?? setting.usual
    }

    /// Whether all activities of this machine stay on it.
    package var isPrivate: Bool { self[.private] != 0 }

    /// Whether a setting differs from its default.
    package func isSet(_ setting: Setting) -> Bool {
        values[setting] != nil || setting == .private && doubt != nil
    }

    /// Changes a setting; nil restores the default.
    ///
    /// A decision about privacy ends the doubt.
    package mutating func set(_ setting: Setting, to value: Int64?) {
        values[setting] = value
        if setting == .private { doubt = nil }
    }

    /// Makes the machine private until its person decides; an earlier reason stays.
    package mutating func suspect(_ doubt: SettingsDoubt) { self.doubt = self.doubt ?? doubt }

    /// Also withholds everything that the other settings withhold.
    package mutating func withhold(with other: Settings) {
        off.formUnion(other.off)
        if other[.finishedDays] < self[.finishedDays] { values[.finishedDays] = other[.finishedDays] }
        if other.isPrivate, !isPrivate { suspect(other.doubt ?? .earlierPrivate) }
        limitSwitches()
    }

    /// Drops switches beyond the limit; if there are any, makes the machine private, because the activities that the
    /// dropped switches withhold must stay here.
    private mutating func limitSwitches() {
        guard off.count > Self.joinedSwitchesMost else { return }
        suspect(.lost)
        let sorted = off.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
        off = Set(sorted.prefix(Self.joinedSwitchesMost))
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
        limitSwitches()
    }

    /// Whether one more switch can be turned off.
    package var hasRoom: Bool { off.count < Self.switchesMost }

    /// The most switches that a person can turn off, and the most that are off after several copies were joined.
    package static let switchesMost = 500
    private static let joinedSwitchesMost = 2 * switchesMost

    // MARK: Codec

    /// The name under which the doubt is encoded, beside the names of settings and switches.
    private static let doubtName = "doubt"

    package func encode(to writer: inout CBORWriter) {
        var all = values.map { ($0.key.rawValue, $0.value) } + off.map { ($0.text, 0) }
        if let doubt { all.append((Self.doubtName, doubt.rawValue)) }
        all.sort { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
        writer.array(count: all.count)
        for (name, value) in all {
            writer.array(count: 2)
            writer.text(name)
            writer.integer(value)
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        let most = Self.joinedSwitchesMost + Setting.allCases.count + 1
        let pairs = try reader.array(upTo: most) { (reader) throws(CBORError) in
            try reader.array(count: 2)
            return (try reader.text(), try reader.integer())
        }
        for (name, value) in pairs {
            if let setting = Setting(rawValue: name) {
                values[setting] = value
            } else if let name = AppSwitchName(name), value == 0 {
                off.insert(name)
            } else if name == Self.doubtName {
                // A reason of a newer version makes the machine private, too.
                doubt = SettingsDoubt(rawValue: value) ?? .lost
            }
        }
    }
}
