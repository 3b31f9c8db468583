import BatonClient
import BatonCore
import ClientSupport
import Foundation
import Support
import Testing
import baton

@testable import BatonCommand

/// The choice of the editor in which a file goes on, and what editors may tell.
@Suite struct `Editors for a continued file` {
    private let folder: TemporaryFolder
    private let home: String

    init() throws {
        folder = try TemporaryFolder()
        home = folder.path
        for name in ["src/app", "src/other", ".ssh"] {
            try FileManager.default.createDirectory(
                atPath: home + "/" + name, withIntermediateDirectories: true)
        }
        for name in ["src/app/a.md", "src/app/b.md", ".ssh/config"] {
            try File.write("1\n2\n", to: home + "/" + name)
        }
    }

    private func editor(_ number: Int, in folder: String?) -> AppRegistration {
        AppRegistration(
            AppName(app: "org.baton.vim", instance: "editor-\(number)-1"), types: ["org.baton.file"],
            title: "Vim \(number)", folder: folder)
    }

    private func summary(_ info: [String: PropertyValue]) -> ActivitySummary {
        let pairs = info.map { (PropertyValue.string($0.key), $0.value) }
        var summary = Example.summary(title: "a.md", info: Dictionary(uniqueKeysWithValues: pairs))
        summary.activity.type = "org.baton.file"
        return summary
    }

    /// The editor that gets a file, or the command that opens it.
    private func choice(
        _ apps: [AppRegistration], file: String = "~/src/app/a.md", terminal: String? = nil,
        configuration: Configuration? = nil
    ) throws -> String? {
        let environment = ["HOME": home, "EDITOR": "vi", "BATON_EDITOR": terminal ?? ""]
        let plan = try HandlerRegistry(configuration, apps: apps).plan(
            summary(["file": .string(file), "line": .integer(2)])
        ) { environment[$0] }
        switch plan?.step {
        case .hand(let app)?: return app.title
        case .run(let words)?: return words.joined(separator: " ")
        default: return nil
        }
    }

    @Test func `a file opens in the running editor of the nearest folder, or else in a new editor`() throws {
        let own = "vi +2 \(home)/src/app/a.md"
        #expect(try choice([]) == own)
        #expect(try choice([editor(1, in: home + "/src/app")]) == "Vim 1")
        #expect(try choice([editor(1, in: home + "/src/other")]) == own)
        #expect(try choice([editor(1, in: home + "/src/ap")]) == own, "a part of a name is no folder")
        let both = [editor(1, in: home + "/src"), editor(2, in: home + "/src/app"), editor(3, in: "/")]
        #expect(try choice(both) == "Vim 2")
        #expect(try choice(both.reversed()) == "Vim 2")
        #expect(try choice([editor(1, in: "")]) == own, "an editor that works nowhere")
        #expect(try choice([editor(1, in: nil)] + [editor(2, in: home + "/src/other")]) == "Vim 1")
    }

    @Test func `if two editors work in one folder, a file opens in the editor that was used last`() throws {
        var (first, second) = (editor(1, in: home + "/src/app"), editor(2, in: home + "/src/app"))
        (first.used, second.used) = (Example.now, Example.now.advanced(by: .seconds(-60)))
        #expect(try choice([first, second]) == "Vim 1" && choice([second, first]) == "Vim 1")
        second.used = Example.now.advanced(by: .seconds(1))
        #expect(try choice([first, second]) == "Vim 2" && choice([second, first]) == "Vim 2")
        second.used = nil
        #expect(try choice([second, first]) == "Vim 1", "a node that does not say so")
        let outer = editor(3, in: home + "/src")
        #expect(try choice([outer, first]) == "Vim 1", "the nearest folder goes first")
    }

    @Test func `in an editor's terminal, files open in that editor`() throws {
        let both = [editor(11, in: ""), editor(1, in: home + "/src/app")]
        #expect(try choice(both, terminal: "11") == "Vim 11")
        #expect(try choice(both, terminal: "1") == "Vim 1")
        #expect(try choice(both, terminal: "7") == "Vim 1")
    }

    @Test func `a configured handler takes precedence over editors, and a missing file is reported`() throws {
        let configuration = try Configuration(
            Array("{handlers: {'org.baton.file': {run: ['nano', '{file}']}}}".utf8), from: "c")
        #expect(
            try choice([editor(1, in: "/")], configuration: configuration) == "nano ~/src/app/a.md")
        let missing = failure { () throws(LocalFailure) in
            try HandlerRegistry(nil, apps: [editor(1, in: "/")]).plan(summary(["file": .string("~/none")])) {
                ["HOME": home][$0]
            }
        }
        #expect(missing?.code == .notFound)
    }

    @Test func `other open files are found on this machine, and changes beyond the limit are dropped`() throws
    {
        let change = { (file: String, size: Int) -> PropertyValue in
            let line = String(repeating: "x", count: size)
            return .dictionary([
                .string("file"): .string(file),
                .string("diff"): .string("--- a\n+++ a\n@@ -1 +1 @@\n-1\n+\(line)\n"),
            ])
        }
        let values = ActivityValues(
            summary([
                "file": .string("~/src/app/a.md"),
                "open": .array(
                    ["~/src/app/b.md", "~/src/app/a.md", "~/none", "b.md", "~/src", "a\nb"].map {
                        .string($0)
                    }
                        + [.integer(7)]),
                "unsaved": .array([.string("~/src/app/a.md"), .string("~/x\u{1b}[2J")]),
                "changes": .array([
                    change("~/src/app/a.md", 10), change("~/none", 10), .integer(1),
                    change("~/src/app/b.md", FileOpening.changesBytes),
                ]),
            ]), schemes: [], environment: { ["HOME": home][$0] })
        let opening = try values.opening { ["HOME": home][$0] }
        #expect(opening.others == [home + "/src/app/b.md"])
        #expect(opening.changes.map(\.path) == [home + "/src/app/a.md"])
        #expect(
            opening.notes[0].text.hasPrefix("Changes of ~/none on “")
                && opening.notes[0].text.hasSuffix("” are not applied: it is not here."))
        #expect(opening.notes.count == 2 && opening.notes[1].text.hasSuffix("that are not saved."))
        #expect(!opening.notes[1].text.contains("\u{1b}"))
    }

    /// The changes that are offered here, and why others are not, for these files that are open and changed there.
    private func changes(of own: String, for files: [String], open: [String]? = nil) throws -> (
        offered: [String], refused: [String]
    ) {
        let diff = "--- x\n+++ ~/.ssh/config\n@@ -1 +1 @@\n-1\n+3\n"
        let values = ActivityValues(
            summary([
                "file": .string(own), "open": .array((open ?? files).map { .string($0) }),
                "changes": .array(
                    files.map { .dictionary([.string("file"): .string($0), .string("diff"): .string(diff)]) }),
            ]), schemes: [], environment: { ["HOME": home][$0] })
        let opening = try values.opening { ["HOME": home][$0] }
        for change in opening.changes {
            #expect(change.diff.hasPrefix("--- \(change.path)\n+++ \(change.path)\n@@"))
        }
        return (opening.changes.map(\.path), opening.notes.map(\.text))
    }

    @Test
    func `unsaved changes are accepted only for the file and for open files of its repository or folder`()
        throws
    {
        for name in [
            ".bashrc", ".config/autostart/x.desktop", ".gitconfig", "notes.md",
            "src/app/.git/hooks/pre-commit",
        ] {
            let path = home + "/" + name
            try FileManager.default.createDirectory(
                atPath: LocalPath.folder(of: path), withIntermediateDirectories: true)
            try File.write("1\n2\n", to: path)
        }
        for (name, target) in [
            ("link.md", ".bashrc"), ("out.md", "src/other/c.md"), ("in.md", "src/app/b.md"),
        ] {
            try File.write("1\n2\n", to: home + "/src/other/c.md")
            try FileManager.default.createSymbolicLink(
                atPath: home + "/src/app/" + name, withDestinationPath: home + "/" + target)
        }
        try FileManager.default.createSymbolicLink(
            atPath: home + "/src/app/ssh", withDestinationPath: home + "/.ssh")
        let own = "~/src/app/a.md"
        let hostile = [
            "~/.bashrc", "~/.ssh/config", "~/.config/autostart/x.desktop", "~/.gitconfig", "/etc/hostname",
            "~/src/other/c.md", "~/src/app/.git/hooks/pre-commit", "~/src/app/link.md", "~/src/app/out.md",
            "~/src/app/ssh/config", "~/src/app/../../.bashrc", home + "/.bashrc", "~/notes.md",
        ]
        let found = try changes(of: own, for: [own, "~/src/app/b.md", "~/src/app/in.md"] + hostile)
        #expect(found.offered == [home + "/src/app/a.md", home + "/src/app/b.md", home + "/src/app/in.md"])
        #expect(found.refused.count == hostile.count)
        for name in hostile {
            let path = name.hasPrefix("~") ? home + name.dropFirst() : name
            #expect(
                found.refused.contains { $0.contains("Changes of \(path) on") }, "\(name): \(found.refused)")
        }
        let closed = try changes(of: own, for: ["~/src/app/b.md"], open: [])
        #expect(closed.offered.isEmpty && closed.refused.first?.contains("not open there") == true)
        // In the home folder itself, a file brings changes for nothing but itself.
        let loose = try changes(of: "~/notes.md", for: ["~/notes.md", own, "~/.bashrc", "~/.ssh/config"])
        #expect(loose.offered == [home + "/notes.md"] && loose.refused.count == 3)
        #expect(try changes(of: "~/.bashrc", for: ["~/.bashrc"]).offered.isEmpty)
    }

    @Test func `files that look like secrets are private, under each of their names`() throws {
        let places = PrivatePlaces()
        let isPrivate = { (path: String) in places.holds(file: path, home: home) }
        for name in [
            ".ssh/config", "keys/a.gpg", "src/app/.env", "src/app/.env.local", ".netrc", "x/id_rsa",
            "My.KDBX",
            "src/app/.git/COMMIT_EDITMSG", "client_secret.json", ".bash_history", ".ssh/\u{301}x",
        ] { #expect(isPrivate(home + "/" + name), "\(name)") }
        for path in ["/tmp/bash-fc.x1", "/dev/shm/pass.x/a.txt", "/var/tmp/a", "/etc/shadow", "/proc/1/mem"] {
            #expect(isPrivate(path), "\(path)")
        }
        for name in ["src/app/a.md", ".sshrc", "environment.md", "src/git/x", ".vimrc"] {
            #expect(!isPrivate(home + "/" + name), "\(name)")
        }
        try FileManager.default.createSymbolicLink(
            atPath: home + "/notes", withDestinationPath: home + "/.ssh/config")
        #expect(isPrivate(home + "/notes"))
        let configuration = try Configuration(
            Array("{shell: {privateFiles: ['*.md'], privateFolders: []}}".utf8), from: "c")
        let own = try #require(configuration.shell?.places)
        #expect(own.holds(file: home + "/src/app/a.md", home: home))
        #expect(!own.holds(file: home + "/.ssh/config", home: home))
    }

    @Test func `an editor's report becomes an activity that names no private file`() throws {
        let report = JSON.object([
            .init("folder", .string(home)), .init("file", .string(home + "/src/app/a.md")),
            .init("line", .integer(2)), .init("column", .integer(1)),
            .init(
                "open",
                .array(
                    ["/src/app/a.md", "/src/app/b.md", "/.ssh/config", "/none"].map { .string(home + $0) })),
            .init("unsaved", .array([.string(home + "/.ssh/config")])),
        ])
        let paths = PortablePaths(in: nil, home: home)
        let state = try EditorState(report).visible(PrivatePlaces(), home: home, paths)
        let change = try #require(state.change(in: nil, paths))
        #expect(change.title == "a.md")
        #expect(
            change.set == [
                .string("file"): .string("~/src/app/a.md"), .string("line"): .integer(2),
                .string("column"): .integer(1), .string("open"): .array([.string("~/src/app/b.md")]),
            ])
        for text in ["{}", "{\"folder\": \"x\"}", "{\"folder\": \"/\", \"line\": -1}", "5"] {
            #expect(throws: JSONError.self, "\(text)") { try EditorState(JSON(reading: Array(text.utf8))) }
        }
    }

    @Test func `the lines for the editor's configuration quote the folder correctly`() throws {
        #expect(
            try Editor.vim.settings("/usr/share/baton/editors/vim").text.hasSuffix(
                "\nset runtimepath+=/usr/share/baton/editors/vim"))
        #expect(
            try Editor.neovim.settings("/a b/it's,").text.hasSuffix(
                "\nlet &runtimepath .= ',' . escape('/a b/it''s,', ',\\')"))
        #expect(try Editor.emacs.settings("/a\"b\\c").text.contains("'load-path \"/a\\\"b\\\\c\")"))
        #expect(throws: LocalFailure.self) { try Editor.vim.settings("/a\nb") }
        #expect(Typed(["editor", "ed"]).errors.contains("not one of the editors: vim, neovim, emacs"))
        #expect(Typed(["editor"]).status == 2 && Typed(["editor", "vim", "--follow", "vim"]).status == 2)
    }
}
