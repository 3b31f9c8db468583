import Foundation
import Support
import Testing

/// Files that are edited in shells which tell their commands, and the names by which they are continued.
@Suite(
    .enabled(
        if: TerminalShell.isThere,
        "tmux is not on this machine: `Scripts/install-dependencies test` installs it")
)
struct `Names of edited files` {
    private let account: Account

    init() throws {
        account = try Account("laptop", "desktop")
        let folder = (account[0].home as NSString).deletingLastPathComponent
        for machine in account.machines {
            let home = folder + "/home-of-" + machine.name
            try FileManager.default.createDirectory(atPath: home + "/work", withIntermediateDirectories: true)
            try File.write("1\n2\n", to: home + "/work/a.txt")
            machine.variables["HOME"] = home
        }
        try File.write("{shell: {commandAfter: 0.2}}", to: folder + "/config.json5")
        for machine in account.machines { machine.variables["BATON_CONFIG"] = folder + "/config.json5" }
    }

    private var laptop: Machine { account[0] }
    private var desktop: Machine { account[1] }

    private var seen: String { (try? desktop.must("list", "--json")) ?? "" }

    @Test(arguments: EditorProgram.allCases)
    func `a file edited in a followed shell can be continued by its file name`(
        editor: EditorProgram
    ) throws {
        try editor.configure(laptop)
        let there = try TerminalShell(on: laptop, settings: "eval \"$(baton shell bash)\"")
        try there.run("cd ~/work && true")
        try there.type("\(editor.command) a.txt")
        try eventually("the file and the command: \(seen); \(there.screen)") {
            let info = try desktop.list().map { $0["info"] }
            return info.contains { $0["file"] == .string("~/work/a.txt") }
                && info.contains { ($0["command"].string ?? $0["shortened"].string) != nil }
        }
        let rows = try desktop.must("list").split(separator: "\n")
        #expect(rows.count == 2 && rows[1].contains("  file  a.txt"), "\(rows)")
        #expect(try desktop.must("list", "--all").split(separator: "\n").count == 3)
        let shown = try desktop.must("continue", "a.txt", "--no-handler")
        #expect(shown.hasPrefix("“a.txt”\n"), "\(shown)")
        try there.press(editor.keysToLeave)
        try eventually("a shell that does nothing: \(seen); \(there.screen)") {
            let info = try desktop.list().map { $0["info"] }
            return info.count == 1 && info[0]["folder"] == .string("~/work") && info[0]["command"] == .null
                && info[0]["shortened"] == .null
        }
    }

    @Test func `if several activities match a title, the picker opens with these activities`() throws {
        for (instance, title) in [("a", "Draft 1"), ("b", "Draft 2"), ("c", "Other")] {
            try laptop.must("start", "org.example.x", "--instance", instance, "--title", title)
            try desktop.waitForActivity(titled: title)
        }
        let shell = try TerminalShell(on: desktop)
        try shell.type("clear; baton continue draft --no-handler")
        try eventually("the picker: \(shell.screen)") {
            let screen = shell.screen
            return screen.count { $0.contains("Draft ") } == 2 && !screen.contains { $0.contains("Other") }
        }
        try shell.press(["1", "Enter"])
        try eventually("the activity: \(shell.screen)") { shell.screen.contains("“Draft 1”") }
    }
}
