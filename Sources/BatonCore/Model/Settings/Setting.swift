/// A setting of one machine, which a person can change.
///
/// Settings are never sent to other machines.
package enum Setting: String, CaseIterable, Sendable {
    /// The largest number of items that one app may have in all its indexes.
    ///
    /// Only items that the app wrote on this machine count.
    case itemsPerApp = "items-per-app"
    /// The maximum size in bytes of the attributes and domains of these items.
    case bytesPerApp = "bytes-per-app"
    /// The number of days for which expired records stay on this machine.
    ///
    /// They are hidden during that time.
    case expiredDays = "expired-days"
    /// The number of days for which an activity that ended on this machine can still be continued on any device.
    ///
    /// With 0, ended activities are not saved.
    case finishedDays = "finished-days"
    /// Whether all activities of this machine stay on it; 0 means no, and 1 means yes.
    case `private`
    /// The number of minutes without use after which protected content is locked; 0 means never.
    case lockMinutes = "lock-minutes"
    /// Whether protected content is locked before the machine sleeps; 0 means no, and 1 means yes.
    case lockAsleep = "lock-asleep"
    /// Whether protected content is locked when the screen is locked or the person logs out; 0 means no, and 1 means
    /// yes.
    case lockAway = "lock-away"

    /// The default value.
    package var usual: Int64 {
        switch self {
        case .itemsPerApp: 5_000_000
        case .bytesPerApp: 4 << 30
        case .expiredDays: 1
        case .finishedDays: 30
        case .private: 0
        case .lockMinutes: 60
        case .lockAsleep, .lockAway: 1
        }
    }

    /// The allowed values.
    package var range: ClosedRange<Int64> {
        switch self {
        case .itemsPerApp: 0...1_000_000_000
        case .bytesPerApp: 0...1 << 50
        case .expiredDays: 1...36_500
        case .finishedDays: 0...36_500
        case .private, .lockAsleep, .lockAway: 0...1
        case .lockMinutes: 0...10_080
        }
    }

    /// Whether the setting is on or off.
    package var isSwitch: Bool { range == 0...1 }

    /// A one-line description for a person.
    package var summary: String {
        switch self {
        case .itemsPerApp: "items that one app may have in its indexes"
        case .bytesPerApp: "bytes that those items may have"
        case .expiredDays: "days that expired data stays on the disk, hidden"
        case .finishedDays: "days that ended activities can still be continued, or 0"
        case .private: "whether no activity may leave this machine"
        case .lockMinutes: "minutes without use until what is protected is locked"
        case .lockAsleep: "whether that is locked before the machine sleeps"
        case .lockAway: "whether that is locked with the screen, and at log-out"
        }
    }
}

/// The reason why a machine is private until its person decides about privacy.
///
/// In each case, the person's last decision may be lost.
package enum SettingsDoubt: Int64, CaseIterable, Sendable {
    /// No copy of the settings could be read.
    case lost = 1
    /// An earlier copy of the settings, such as that of a restored backup, says that the machine is private.
    case earlierPrivate = 2
    /// The settings come from an older copy of the home.
    case older = 3
}

/// The settings of one machine.
package struct Settings: Equatable, Sendable {
    private var values: [Setting: Int64] = [:]
    /// The apps' switches that are turned off.
    private var off: Set<AppSwitchName> = []
    /// The reason why the machine is private until its person decides; nil if the settings are known to be the latest
    /// ones.
    package private(set) var doubt: SettingsDoubt?

    /// Creates settings that all have their default values.
    package init() {}

    /// The value of a setting.
    ///
    /// If the settings are in doubt, the machine is private.
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

    /// Changes a setting; nil restores the default value.
    ///
    /// If the person decides about privacy, the settings are no longer in doubt.
    package mutating func set(_ setting: Setting, to value: Int64?) {
        values[setting] = value
        if setting == .private { doubt = nil }
    }

    /// Makes the machine private until its person decides.
    ///
    /// If there is an earlier reason, that reason is kept.
    package mutating func suspect(_ doubt: SettingsDoubt) { self.doubt = self.doubt ?? doubt }

    /// Changes these settings so that they also withhold everything that the other settings withhold.
    package mutating func withhold(with other: Settings) {
        off.formUnion(other.off)
        if other[.finishedDays] < self[.finishedDays] { values[.finishedDays] = other[.finishedDays] }
        if other[.lockMinutes] > 0, self[.lockMinutes] == 0 || other[.lockMinutes] < self[.lockMinutes] {
            values[.lockMinutes] = other[.lockMinutes]
        }
        for setting in [Setting.lockAsleep, .lockAway] where other[setting] > self[setting] {
            values[setting] = other[setting]
        }
        if other.isPrivate, !isPrivate { suspect(other.doubt ?? .earlierPrivate) }
        limitSwitches()
    }

    /// Drops switches if there are more than the limit.
    ///
    /// In that case, it also makes the machine private. Otherwise, activities that a dropped switch withholds would be
    /// sent.
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

    /// Returns the apps for which this switch is off.
    package func apps(off switched: AppSwitch) -> Set<String> {
        Set(off.filter { $0.switched == switched }.map(\.app))
    }

    /// The apps for which any switch is off, sorted.
    package var switchedApps: [String] {
        Set(off.map(\.app)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Turns a switch of an app on or off.
    package mutating func set(_ name: AppSwitchName, isOff: Bool) {
        if isOff { off.insert(name) } else { off.remove(name) }
        limitSwitches()
    }

    /// Whether the person can turn off another switch.
    package var hasRoom: Bool { off.count < Self.switchesMost }

    /// The largest number of switches that a person can turn off, and the largest number after several copies were
    /// joined.
    package static let switchesMost = 500
    private static let joinedSwitchesMost = 2 * switchesMost

    // MARK: Codec

    /// The name under which the doubt is encoded, among the names of settings and switches.
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
                // The reason may be unknown because a newer version added it. It makes the machine private, too.
                doubt = SettingsDoubt(rawValue: value) ?? .lost
            }
        }
    }
}
