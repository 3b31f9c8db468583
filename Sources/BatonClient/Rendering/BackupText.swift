package import BatonCore

/// What is told of a backup.
package enum BackupText {
    /// A backup was made.
    package static func lines(ofMade backup: BackupDescription, option: String) -> [VisibleText] {
        [
            "\(amount(backup)) of “\(backup.device.name)” are in \(backup.path) (\(size(backup.bytes))).",
            "Not in it: keys and certificates; it lets nobody into the account, and can't stand in for this machine.",
            "To put it back on this machine, type `baton restore\(option) \(quoted(backup.path))`.",
        ]
    }

    /// A backup is to be put back.
    package static func lines(toConfirm backup: BackupDescription, at time: PresentTime) -> [VisibleText] {
        [
            "\(backup.path) holds \(amount(backup)) of “\(backup.device.name)”, as they were \(when(backup, time))."
        ]
    }

    /// A backup was put back.
    package static func lines(
        ofRestored backup: BackupDescription, aside: [String], at time: PresentTime
    ) -> [VisibleText] {
        var lines: [VisibleText] = [
            "\(amount(backup)) are back, as they were \(when(backup, time)).",
            "What came after that, and another of your machines has, comes back from there.",
        ]
        if !aside.isEmpty {
            lines.append(
                "What only this machine had since then is in what was set aside, which nothing removes:")
            lines += aside.map { "  \($0)" }
        }
        return lines
    }

    /// How much a number of bytes is.
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

    /// A path as one word of a shell.
    private static func quoted(_ path: String) -> String {
        let isPlain = path.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+,:@%".contains($0))
        }
        return isPlain
            ? path
            : "'"
                + path.split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: "'\\''") + "'"
    }
}

/// Tells how far a backup has come, first after a second and then now and then.
package final class BackupProgress {
    private let verb: String
    private let console: Console
    private var count = 0

    package init(_ verb: String, on console: Console) { (self.verb, self.console) = (verb, console) }

    /// One more second has passed.
    package func tell(_ bytes: Int, of all: Int?) throws(LocalFailure) {
        defer { count += 1 }
        let part = all.map { " of \(BackupText.size($0))" } ?? ""
        // A terminal shows one line that changes; elsewhere each line stays.
        guard !console.canShowProgress else {
            return console.showProgress("\(BackupText.size(bytes))\(part) \(verb) …")
        }
        guard count % 5 == 0 else { return }
        try console.explain("\(BackupText.size(bytes))\(part) \(verb) …")
    }
}

extension JSON {
    /// A backup, and what is in it.
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
