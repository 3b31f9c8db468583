import BatonCore
import Testing

/// The settings that apply, by the copies of them that could be read.
@Suite struct `Copies of settings` {
    private static func copy(_ number: UInt64, isPrivate: Bool, off: String? = nil) -> SettingsCopy {
        var settings = Settings()
        if isPrivate { settings.set(.private, to: 1) }
        if let off { settings.set(AppSwitchName(.handoff, of: off), isOff: true) }
        return SettingsCopy(number: number, settings: settings)
    }

    private static func joined(
        _ first: SettingsCopy?, _ second: SettingsCopy?, note: SettingsCopy?, witnessed: UInt64? = nil
    ) -> Settings {
        SettingsCopy.joined(files: [first, second], note: note, witnessed: witnessed).settings
    }

    @Test func `a copy with any changed, missing or added byte can't be read`() {
        let copy = Self.copy(7, isPrivate: true, off: "org.example")
        #expect(SettingsCopy(bytes: copy.bytes) == copy)
        for place in copy.bytes.indices {
            for bit in 0..<8 {
                var bytes = copy.bytes
                bytes[place] ^= 1 << bit
                #expect(SettingsCopy(bytes: bytes) == nil)
            }
            #expect(SettingsCopy(bytes: Array(copy.bytes[..<place])) == nil)
        }
        #expect(SettingsCopy(bytes: copy.bytes + [0]) == nil)
    }

    @Test func `without any copy on disk the machine is private, whatever the database says`() {
        for note in [nil, Self.copy(9, isPrivate: false, off: "a"), Self.copy(9, isPrivate: true)] {
            let settings = Self.joined(nil, nil, note: note)
            #expect(settings.isPrivate && settings.doubt == .lost)
            #expect(settings.isOff(.handoff, for: "a") == note?.settings.isOff(.handoff, for: "a") ?? false)
        }
    }

    @Test(arguments: [true, false])
    func `one readable file replaces the missing one`(isFirst: Bool) {
        for isPrivate in [true, false] {
            let copy = Self.copy(4, isPrivate: isPrivate, off: "a")
            let joined = SettingsCopy.joined(
                files: isFirst ? [copy, nil] : [nil, copy], note: nil, witnessed: 4)
            #expect(joined == copy)
        }
    }

    @Test func `if copies differ, everything that any of them withholds is withheld`() {
        let (on, off) = (Self.copy(4, isPrivate: true, off: "a"), Self.copy(5, isPrivate: false, off: "b"))
        // Sharing again was interrupted, or a backup was restored that was made while the machine was private.
        for settings in [
            Self.joined(off, on, note: on), Self.joined(off, off, note: on), Self.joined(on, off, note: off),
        ] {
            #expect(settings.isPrivate && settings.doubt == .earlierPrivate)
            #expect(settings.apps(off: .handoff) == ["a", "b"])
        }
        // Becoming private was interrupted, or an older backup was restored.
        let later = Self.copy(6, isPrivate: true)
        #expect(Self.joined(later, off, note: off).isPrivate)
        #expect(Self.joined(later, later, note: off).doubt == nil)
    }

    @Test func `files older than the witnessed number make the machine private`() {
        let copy = Self.copy(4, isPrivate: false)
        #expect(Self.joined(copy, copy, note: copy, witnessed: 5).doubt == .older)
        #expect(Self.joined(copy, copy, note: copy, witnessed: 4).doubt == nil)
        #expect(Self.joined(copy, copy, note: Self.copy(5, isPrivate: false), witnessed: 5).doubt == nil)
        let joined = SettingsCopy.joined(files: [copy, copy], note: copy, witnessed: 5)
        #expect(joined.number == 6)
    }

    @Test
    func `only a new value of private ends the doubt about settings, and the fewer finished days are used`() {
        var settings = Self.joined(nil, nil, note: nil)
        settings.set(AppSwitchName(.handoff, of: "a"), isOff: false)
        settings.set(.finishedDays, to: 3)
        #expect(settings.isPrivate && settings[.private] == 1 && settings.isSet(.private))
        let copy = SettingsCopy(number: 2, settings: settings)
        #expect(SettingsCopy(bytes: copy.bytes)?.settings.doubt == .lost)
        settings.set(.private, to: nil)
        #expect(!settings.isPrivate && settings.doubt == nil)
        var none = Settings()
        none.set(.finishedDays, to: 0)
        settings.withhold(with: none)
        #expect(settings[.finishedDays] == 0)
    }

    @Test(arguments: [(0, 5, 5), (5, 0, 5), (5, 9, 5), (9, 5, 5), (0, 0, 0)])
    func `a joined copy locks protected content as soon as the stricter one of the two`(
        own: Int64, other: Int64, joined: Int64
    ) {
        var (settings, earlier) = (Settings(), Settings())
        settings.set(.lockMinutes, to: own)
        earlier.set(.lockMinutes, to: other)
        settings.set(.lockAsleep, to: 0)
        earlier.set(.lockAway, to: 0)
        settings.withhold(with: earlier)
        #expect(settings[.lockMinutes] == joined)
        #expect(settings[.lockAsleep] == 1 && settings[.lockAway] == 1)
    }

    @Test func `more switched-off apps than the limit make the machine private`() {
        var settings = Settings()
        for part in 0..<3 {
            var other = Settings()
            for number in 0..<Settings.switchesMost {
                other.set(AppSwitchName(.handoff, of: "\(part) \(number)"), isOff: true)
            }
            settings.withhold(with: other)
        }
        #expect(settings.isPrivate && settings.switchedApps.count == 2 * Settings.switchesMost)
        #expect(SettingsCopy(bytes: SettingsCopy(number: 1, settings: settings).bytes)?.settings == settings)
    }
}
