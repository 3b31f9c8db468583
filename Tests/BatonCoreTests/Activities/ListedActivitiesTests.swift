import BatonCore
import Testing

/// The rows that people are shown of what goes on.
@Suite struct `The rows of a list` {
    private struct Row: ActivityRow, Equatable {
        var name: String
        var rowDevice: DeviceIdentifier
        var app = "org.baton.shell"
        var rowInstance: String
        var activity: Activity
    }

    private static let now = WallTime(milliseconds: 1_795_208_645_123)

    private static func row(
        _ name: String, _ instance: String, type: String = "org.baton.folder", device: UInt64 = 1,
        started: Int = 0, _ info: [String: PropertyValue]
    ) -> Row {
        var activity = Activity(type: type, started: now.advanced(by: .seconds(started)))
        activity.info = Dictionary(uniqueKeysWithValues: info.map { (.string($0.key), $0.value) })
        return Row(
            name: name, rowDevice: DeviceIdentifier(high: 0, low: device), rowInstance: instance,
            activity: activity)
    }

    private static func idle(_ name: String, _ folder: String, device: UInt64 = 1) -> Row {
        row(name, "prompt-\(name)-1", device: device, ["folder": .string(folder)])
    }

    private static func command(_ line: String, in shell: String, at second: Int, device: UInt64 = 1) -> Row {
        let since = Double(now.advanced(by: .seconds(second)).milliseconds) / 1000
        return row(
            line, shell, device: device,
            ["folder": .string("~/src"), "command": .string(line), "since": .date(since)])
    }

    private static func file(in shell: String?, at second: Int, device: UInt64 = 1) -> Row {
        var row = row(
            "file", "editor-9-1", type: "org.baton.file", device: device, started: second,
            ["file": .string("~/src/a.txt"), "shell": shell.map { .string($0) } ?? .boolean(false)])
        row.app = "org.baton.vim"
        return row
    }

    private func names(_ rows: Row...) -> [String] { rows.shownToPeople.map(\.name) }

    @Test func `idle shells in one folder of one device share one row, which shows the latest shell`() {
        let two = names(Self.idle("a", "~/src"), Self.idle("b", "~/src"), Self.idle("c", "~/doc"))
        #expect(two == ["a", "c"])
        #expect(names(Self.idle("a", "~/src"), Self.idle("b", "~/src", device: 2)) == ["a", "b"])
        let running = Self.command("make", in: "prompt-1-1", at: 0)
        let other = Self.command("make test", in: "prompt-2-1", at: 0)
        #expect(names(running, Self.idle("a", "~/src"), other) == ["make", "a", "make test"])
    }

    @Test func `an idle shell in the home folder has no row`() {
        #expect(names(Self.idle("a", "~"), Self.idle("b", "~", device: 2)).isEmpty)
        let running = Self.row("top", "prompt-1-1", ["folder": .string("~"), "command": .string("top")])
        #expect(names(running, Self.idle("a", "~")) == ["top"])
    }

    @Test func `an activity that a person started or sent always has a row`() {
        let started = Self.row("a", "shell-1-1", ["folder": .string("~")])
        let named = Self.row("b", "console", ["folder": .string("~")])
        #expect(names(started, named) == ["a", "b"])
        var sent = Self.idle("c", "~")
        let device = DeviceIdentifier(high: 0, low: 2)
        sent.activity.sent = .init(device: device, time: Self.now)
        #expect(names(sent) == ["c"])
        sent.activity.continuation = .init(device: device, time: Self.now.advanced(by: .seconds(1)))
        #expect(names(sent).isEmpty, "it was continued since")
        var ended = Self.idle("d", "~")
        ended.activity.finished = Self.now
        #expect(names(ended) == ["d"])
    }

    @Test func `the file of an editor replaces the row of the command that runs the editor`() {
        let shell = "prompt-7-1"
        let vim = Self.command("vim a.txt", in: shell, at: 0)
        #expect(names(vim, Self.file(in: shell, at: 1)) == ["file"])
        #expect(names(vim, Self.file(in: "prompt-8-1", at: 1)) == ["vim a.txt", "file"])
        #expect(names(vim, Self.file(in: nil, at: 1)) == ["vim a.txt", "file"])
        #expect(names(vim, Self.file(in: shell, at: 1, device: 2)) == ["vim a.txt", "file"])
        #expect(names(vim) == ["vim a.txt"], "no file is open")
        var emacs = vim
        emacs.activity.info[.string("command")] = nil
        emacs.activity.info[.string("shortened")] = .string("emacs …")
        #expect(names(emacs, Self.file(in: shell, at: 1)) == ["file"], "only its beginning is told")
    }

    @Test
    func `a command that runs while the editor is stopped has its own row, and the command fg has none`() {
        let shell = "prompt-7-1"
        let file = Self.file(in: shell, at: 1)
        #expect(names(Self.command("make", in: shell, at: 60), file) == ["make", "file"])
        for line in ["fg", "fg %2", "%vim"] {
            #expect(names(Self.command(line, in: shell, at: 60), file) == ["file"], "\(line)")
        }
    }
}
