import BatonClient
package import BatonCore
package import BatonTerminal

/// Texts for a person about backups.
package enum BackupText {
    /// The lines that are printed after a backup was made.
    package static func lines(ofMade backup: BackupDescription, option: String) -> [VisibleText] {
        [
            "\(amount(backup)) of “\(backup.device.name)” are in \(backup.path) (\(size(backup.bytes))).",
            "It contains no keys or certificates, so nobody can join the account with it.",
            "To restore it on this machine, type `baton restore\(option) \(ShellWord.quoted(backup.path))`.",
        ]
    }

    /// The lines that are printed before a backup is restored.
    ///
    /// A question follows them.
    package static func lines(toConfirm backup: BackupDescription, at time: PresentTime) -> [VisibleText] {
        [
            "\(backup.path) contains \(amount(backup)) of “\(backup.device.name)”, as they were \(when(backup, time))."
        ]
    }

    /// The lines that are printed after a backup was restored.
    ///
    /// `option` is the option `--home` of the commands that the lines mention.
    package static func lines(
        ofRestored backup: BackupDescription, previousFiles: [String], option: String, at time: PresentTime
    ) -> [VisibleText] {
        var lines: [VisibleText] = [
            "\(amount(backup)) are back, as they were \(when(backup, time)).",
            "Changes since then come back from your other machines, if they have them.",
        ]
        if !previousFiles.isEmpty {
            lines.append("The previous data was moved, with the changes that only this machine had.")
            lines.append("Once nothing is missing, `baton doctor --clean\(option)` deletes it:")
            lines += previousFiles.map { "  \($0)" }
        }
        return lines
    }

    /// A number of bytes in a suitable unit, such as `1.5 MB`.
    package static func size(_ bytes: Int) -> String {
        let units = ["bytes", "KB", "MB", "GB", "TB"]
        var (value, unit) = (Double(bytes), 0)
        while value >= 999.5, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
        let tenths = Int((value * 10).rounded())
        return unit == 0 || tenths >= 100
            ? "\(Int(value.rounded())) \(units[unit])"
            : "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    private static func amount(_ backup: BackupDescription) -> String {
        let activities =
            backup.activities == 1 ? "1 activity" : "\(backup.activities) activities"
        return "\(HumanTime.count(Int64(backup.items), "item")) and \(activities)"
    }

    private static func when(_ backup: BackupDescription, _ time: PresentTime) -> String {
        time.text(backup.made).text
    }
}

/// Reports the progress of a backup.
///
/// The first report comes after one second.
package final class BackupProgress {
    private let verb: String
    private let console: Console
    private var count = 0

    package init(_ verb: String, on console: Console) { (self.verb, self.console) = (verb, console) }

    /// Called once a second with the number of bytes so far.
    package func tell(_ bytes: Int, of all: Int?) throws(LocalFailure) {
        defer { count += 1 }
        let part = all.map { " of \(BackupText.size($0))" } ?? ""
        // A terminal shows one line, which is replaced each second. Elsewhere, lines remain, so only every fifth is
        // printed.
        guard !console.canShowProgress else {
            return console.showProgress("\(BackupText.size(bytes))\(part) \(verb) …")
        }
        guard count % 5 == 0 else { return }
        try console.explain("\(BackupText.size(bytes))\(part) \(verb) …")
    }
}

extension JSON {
    /// The description of a backup.
    package init(_ backup: BackupDescription) {
        self = .object([
            Member("path", .string(backup.path)), Member("bytes", .integer(Int64(backup.bytes))),
            Member("items", .integer(Int64(backup.items))),
            Member("activities", .integer(Int64(backup.activities))),
            Member("account", .string(backup.account.description)), Member("device", JSON(backup.device)),
            Member("made", JSON(backup.made)), Member("version", .string(backup.build)),
        ])
    }
}
