import BatonCore

/// The ways in which copies of a person's settings are lost.
enum SettingsLoss: CaseIterable {
    case firstFile, secondFile, files
    /// Nothing is left of the settings, nor of what was noted outside the home.
    case everything
    /// The home is replaced with an older copy of it, as far as the settings are concerned.
    case olderFiles
}

/// The settings of a simulated machine, in copies as a node has them.
struct SimulatedSettings {
    /// The settings of the process.
    var kept = SettingsCopy.first
    /// The files in the home; nil stands for one that can't be read.
    var files: [SettingsCopy?] = [.first, .first]
    /// The number that is noted outside the home until the machine loses power.
    var witnessed: UInt64?
    /// The number of the last copy that was made.
    private var number = SettingsCopy.first.number

    /// Joins the copies when a process starts, and writes the files again.
    mutating func open(with note: SettingsCopy?) {
        kept = .joined(files: files, note: note, witnessed: witnessed)
        (files, witnessed, number) = ([kept, kept], kept.number, kept.number)
    }

    /// Returns the next copy, with a change of the settings.
    mutating func next(_ change: (inout Settings) -> Void) -> SettingsCopy {
        var settings = kept.settings
        change(&settings)
        number += 1
        return SettingsCopy(number: number, settings: settings)
    }

    mutating func lose(_ loss: SettingsLoss) {
        switch loss {
        case .firstFile: files[0] = nil
        case .secondFile: files[1] = nil
        case .files: files = [nil, nil]
        case .everything: (files, witnessed) = ([nil, nil], nil)
        case .olderFiles:
            // Nothing in the home shows that it is an older copy; only what lies outside does.
            if witnessed ?? 0 > SettingsCopy.first.number { files = [.first, .first] }
        }
    }
}

extension Settings {
    /// Whether nothing that the apps of a world do is to leave the device.
    var hidesApps: Bool { isPrivate || isOff(.handoff, for: SimulatedApps.app) }

    /// Shares what is withheld, first what a doubt or privacy withholds; if nothing is, withholds what apps do by their
    /// switch or by privacy.
    mutating func toggle(switching isSwitch: Bool) {
        let name = AppSwitchName(.handoff, of: SimulatedApps.app)
        if isPrivate {
            set(.private, to: nil)
        } else if hidesApps {
            set(name, isOff: false)
        } else if isSwitch {
            set(name, isOff: true)
        } else {
            set(.private, to: 1)
        }
    }
}
