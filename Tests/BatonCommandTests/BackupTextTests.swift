import BatonCommand
import BatonCore
import Testing

/// The texts about backups.
@Suite struct `Texts about backups` {
    private func backup(_ path: String, items: Int = 1204) -> BackupDescription {
        BackupDescription(
            path: path, bytes: 2_100_000, items: items, activities: 1,
            account: AccountIdentifier(high: 1, low: 1),
            device: DeviceReference(
                identifier: DeviceIdentifier(high: 1, low: 2), name: "lap\u{1b}top", isHere: true),
            made: WallTime(milliseconds: 1_000_000), build: "0.1.0")
    }

    private let time = PresentTime(WallTime(milliseconds: 1_120_000)) { _ in 0 }

    @Test func `a backup's items and activities are counted`() {
        let lines = BackupText.lines(ofMade: backup("/a/b"), option: " --home x").map(\.text)
        #expect(lines[0].hasPrefix("1204 items and 1 activity of “lap"))
        #expect(lines[0].hasSuffix("are in /a/b (2.1 MB)."))
        #expect(!lines.joined().contains("\u{1b}"), "a name is no command to the terminal")
        #expect(lines[2].contains("`baton restore --home x /a/b`"))
    }

    @Test(arguments: [
        (0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 KB"), (1950, "2.0 KB"), (9_960, "10 KB"),
        (123_400_000, "123 MB"), (999_600, "1.0 MB"), (5_000_000_000_000, "5.0 TB"),
    ])
    func `sizes have a suitable unit`(bytes: Int, text: String) { #expect(BackupText.size(bytes) == text) }

    @Test func `a path in a suggested command is quoted for a shell`() {
        for (path, word) in [("/a b", "'/a b'"), ("/it's", "'/it'\\''s'"), ("/$(x)", "'/$(x)'")] {
            let lines = BackupText.lines(ofMade: backup(path), option: "").map(\.text)
            #expect(lines[2].contains("`baton restore \(word)`"), "\(lines[2])")
        }
    }

    @Test func `restoring asks for confirmation, and lists the previous files afterwards`() {
        let question = BackupText.lines(toConfirm: backup("/a", items: 1), at: time).map(\.text)
        #expect(question.count == 1 && question[0].contains("1 item and 1 activity"))
        #expect(question[0].hasSuffix("as they were 2 minutes ago."))
        let none = BackupText.lines(ofRestored: backup("/a"), previousFiles: [], option: "", at: time)
        let some = BackupText.lines(
            ofRestored: backup("/a"), previousFiles: ["/x", "/y"], option: " --home h", at: time
        ).map(\.text)
        #expect(
            some.dropFirst(none.count + 1) == [
                "Once nothing is missing, `baton doctor --clean --home h` deletes it:", "  /x", "  /y",
            ])
    }

    @Test func `a relative path is resolved in the shell's folder`() throws {
        #expect(try BackupPath.whole("/a/b") == "/a/b")
        let whole = try BackupPath.whole("b")
        #expect(whole.hasPrefix("/") && whole.hasSuffix("/b"))
        for path in ["", "a/", "/"] { #expect(throws: LocalFailure.self) { try BackupPath.whole(path) } }
    }
}
