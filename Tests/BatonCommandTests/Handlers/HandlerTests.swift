import BatonClient
import BatonCommand
import BatonCore
import ClientSupport
import Support
import Testing

@Suite struct `Handlers` {
    /// The words that a handler with these arguments makes of an activity, or the failure.
    private func words(
        _ run: String, _ info: [String: PropertyValue] = [:], title: String? = "Report", rest: String = "",
        environment: [String: String] = ["HOME": "/home/me"]
    ) throws -> (words: [String]?, failure: LocalFailure?) {
        let text = "{handlers: {'*': {run: \(run)\(rest)}}}"
        let registry = HandlerRegistry(try Configuration(Array(text.utf8), from: "c"))
        return plan(registry, type: "org.example.x", info, title: title, environment: environment)
    }

    /// The plan of all handlers for an activity: the words of the command, or the folder.
    private func plan(
        _ registry: HandlerRegistry, type: String, _ info: [String: PropertyValue], title: String? = "Report",
        webpage: String? = nil, environment: [String: String] = ["HOME": "/home/me"]
    ) -> (words: [String]?, failure: LocalFailure?) {
        let pairs = info.map { (PropertyValue.string($0.key), $0.value) }
        var summary = Example.summary(title: title, info: Dictionary(uniqueKeysWithValues: pairs))
        (summary.activity.type, summary.activity.webpage) = (type, webpage)
        do throws(LocalFailure) {
            switch try registry.plan(summary, environment: { environment[$0] })?.step {
            case .run(let words)?: return (words, nil)
            case .go(let place)?: return (["cd", place.path], nil)
            case .paste?: return (["paste"], nil)
            case .hand(let app)?: return (["app", app.name.app], nil)
            case .start(let manifest)?: return (["start"] + manifest.run, nil)
            case nil: return (nil, nil)
            }
        } catch {
            return (nil, error)
        }
    }

    @Test(arguments: [
        "a b", "it's", "\"q\"", "$(touch x)", "`x`", "; rm -rf /", "{title}", "{{x}}", "{line?}", "*", "",
        "日本 🙂", "=x", "a-rf", "\\", "%s", "~/x",
    ]) func `a value is passed unchanged as an argument or as a part of an argument`(value: String) throws {
        let found = try words(
            "['v', '{x}', 'p={x}.{x}', '--', '{x}', '{{{x}}}']", ["x": .string(value)])
        #expect(found.words == ["v", value, "p=\(value).\(value)", "--", value, "{\(value)}"], "\(found)")
    }

    @Test(arguments: ["-rf", "--help", "-", "--", "-\u{301}x", "+!sh", "+\u{301}"])
    func `a value that begins like an option is refused, unless it stands after --`(value: String) throws {
        let info = ["x": PropertyValue.string(value)]
        let refused = try words("['v', '{x}']", info)
        #expect(refused.words == nil && refused.failure?.text.contains("taken for an option") == true)
        #expect(try words("['v', '--', '{x}']", info).words == ["v", "--", value])
        #expect(try words("['v', 'x={x}']", info).words == ["v", "x=" + value])
        for run in ["['v', '+{x}']", "['v', '-{x}']", "['v', '--{x}']", "['v', '+{n}{x}']"] {
            let found = try words(run, info.merging(["n": .integer(1)]) { $1 })
            #expect(found.words == nil && found.failure?.text.contains("not a number") == true, "\(run)")
        }
    }

    @Test func `a running browser opens web pages, and other addresses go to xdg-open or are refused`() throws
    {
        let browser = AppRegistration(
            AppName(app: "org.baton.browser", instance: "b"), types: ["org.baton.web"], title: "Chromium")
        let registry = HandlerRegistry(apps: [browser])
        for type in ["org.baton.web", "org.example.unknown"] {
            for page in ["https://a.b/c", "http://a.b:80/?x=$(y)#z"] {
                #expect(plan(registry, type: type, [:], webpage: page).words == ["app", "org.baton.browser"])
            }
            for page in ["mailto:a@b.c", "https://user:secret@a.b/", "http:a.b"] {
                #expect(plan(registry, type: type, [:], webpage: page).words == ["xdg-open", page])
            }
            for page in [
                "javascript:x", "file:///etc/passwd", "--help", "https://a.b/ c", "https://a.b/\u{202e}",
            ] {
                let found = plan(registry, type: type, [:], webpage: page)
                #expect(found.words == nil && found.failure?.code == .failed, "\(page): \(found)")
            }
        }
        let info = ["url": PropertyValue.string("https://a.b/")]
        #expect(plan(registry, type: "org.baton.web", info).words == ["app", "org.baton.browser"])
        #expect(plan(registry, type: "org.baton.web", [:]).failure != nil)
    }

    @Test func `an empty value can't turn a later value into an option`() throws {
        let info: [String: PropertyValue] = ["x": .string(""), "y": .string("-rf")]
        #expect(try words("['v', '{x}{y}']", info).words == nil)
        #expect(try words("['v', '{x}-rf']", info).words == nil)
        #expect(try words("['v', '+{x}']", info).words == nil)
        // A value that is `--` does not end the options.
        #expect(try words("['v', '{z}', '{y}']", ["z": .string("a"), "y": .string("-x")]).words == nil)
    }

    @Test func `numbers are accepted after a plus sign`() throws {
        #expect(try words("['vim', '+{line}']", ["line": .integer(42)]).words == ["vim", "+42"])
        #expect(try words("['vim', '+{line}']", ["line": .string("42")]).words == ["vim", "+42"])
        for line in [PropertyValue.integer(-1), .real(1.5), .string("1|!sh"), .boolean(true), .string("٣")] {
            #expect(try words("['vim', '+{line}']", ["line": line]).words == nil, "\(line)")
        }
    }

    @Test func `an argument without its optional value is omitted, and a missing required value fails`()
        throws
    {
        #expect(try words("['v', '+{line?}', '{dark?}', 'x']", ["dark": .null]).words == ["v", "x"])
        let found = try words("['v', '{line}']")
        #expect(found.failure?.text == "“Report” has no `line`, which is needed to continue it.")
        #expect(try words("['v', '{title?}']", title: nil).words == ["v"])
        #expect(
            try words(
                "['v', '{title}', '{info.title}', '{type}', '{device}', '{id}']", ["title": .integer(7)]
            )
            .words == ["v", "Report", "7", "org.example.x", "desktop", "k3v9q2mx7abc"])
        #expect(try words("['v', '{x}']", ["x": .array([])]).failure?.text.contains("neither") == true)
    }

    @Test(arguments: ["a\0b", "a\nb", "a\u{1b}[2J", "\u{7f}", "\u{9b}31m", "a\r", "\u{2028}"])
    func `control characters in a value are refused`(value: String) throws {
        let found = try words("['v', '--', 'p{x}']", ["x": .string(value)])
        #expect(found.words == nil && found.failure?.text.contains("control character U+") == true)
        #expect(try words("['v', '{title}']", title: value).words == nil)
    }

    @Test func `an argument that is too long is refused`() throws {
        let long = String(repeating: "x", count: 1 << 20)
        let found = try words("['v', '{x}']", ["x": .string(long)])
        #expect(found.words == nil && found.failure?.text.contains("longer than 32 KiB") == true)
        let half = PropertyValue.string(String(long.prefix(20 << 10)))
        #expect(try words("['v', '{x}{x}']", ["x": half]).words == nil)
        #expect(try words("['v', '{x}']", ["x": half]).words?.last?.count == 20 << 10)
    }

    @Test func `characters that change the reading direction are refused, and combining marks are kept`()
        throws
    {
        let turning = Array(0x202a...0x202e) + Array(0x2066...0x206f) + Array(0xfff9...0xfffb)
        for value in turning {
            let scalar = try #require(Unicode.Scalar(UInt32(value)))
            let found = try words("['v', 'x={x}']", ["x": .string("a\(scalar)b")])
            let name = String(value, radix: 16, uppercase: true)
            #expect(found.failure?.text.contains("the control character U+\(name)") == true, "\(name)")
        }
        for text in ["\u{200f}שלום \u{200e}(1)", "\u{61c}مرحبا", "می\u{200c}خواهم", "👩\u{200d}💻"] {
            #expect(try words("['v', 'x={x}']", ["x": .string(text)]).words == ["v", "x=" + text])
        }
    }

    @Test func `paths are resolved on this machine, and missing paths are reported`() throws {
        let folder = try TemporaryFolder()
        try File.write("", to: folder.path + "/a b")
        let environment = ["HOME": folder.path]
        let paths = ", paths: ['file']"
        let there = try words(
            "['v', '{file}']", ["file": .string("~/a b")], rest: paths, environment: environment)
        #expect(there.words == ["v", folder.path + "/a b"])
        let gone = try words(
            "['v', '{file}']", ["file": .string("~/c")], rest: paths, environment: environment)
        #expect(gone.failure?.code == .notFound)
        #expect(
            gone.failure?.text == "“Report” points to “\(folder.path)/c”, which is not on this machine.")
        let relative = try words("['v', '{file}']", ["file": .string("a b")], rest: paths)
        #expect(relative.failure?.text.contains("has no meaning on another machine") == true)
    }

    // MARK: Built-in handlers

    @Test func `copied content is handled by baton paste, whatever the payload says`() throws {
        let hostile: [String: PropertyValue] = [
            "files": .array([.string("$(reboot)")]), "content": .string("-c"),
        ]
        #expect(plan(HandlerRegistry(), type: "org.baton.clipboard", hostile).words == ["paste"])
        let (registry, type) = (HandlerRegistry(), "org.baton.web")
        let summary = Example.summary()
        var page = summary
        (page.activity.type, page.activity.webpage) = (type, "https://example.org/")
        #expect(try registry.plan(page, environment: { _ in nil })?.needsTerminal == false)
    }

    @Test func `a terminal window is opened by the first known terminal program on PATH`() throws {
        let folder = try TemporaryFolder()
        #expect(failure { () throws(LocalFailure) in try TerminalWindow(path: folder.path) }?.code == .failed)
        for (program, words) in [("xterm", ["xterm", "-e", "baton"]), ("foot", ["foot", "baton"])] {
            try File.writeProgram("#!/bin/sh\n", to: "\(folder.path)/\(program)")
            let window = try TerminalWindow(path: folder.path)
            #expect(window.words == [program] && window.words(running: ["baton"]) == words)
        }
    }

    @Test func `the built-in handler of a folder changes to the folder`() throws {
        let folder = try TemporaryFolder()
        let registry = HandlerRegistry()
        let type = "org.baton.folder"
        #expect(plan(registry, type: type, ["folder": .string(folder.path)]).words == ["cd", folder.path])
        let gone = plan(registry, type: type, ["folder": .string(folder.path + "/x")])
        #expect(gone.failure?.text.hasPrefix("“Report” points to the folder “/") == true)
        #expect(plan(registry, type: type, ["folder": .string("/etc/passwd")]).failure?.code == .failed)
        #expect(plan(registry, type: type, [:]).failure?.text.contains("has no `folder`") == true)
    }

    @Test(
        arguments: [
            ("vim", ["vim", "+7", "@"]), ("nano -w", ["nano", "-w", "+7,3", "@"]),
            ("code --wait", ["code", "--wait", "--goto", "@:7:3"]), ("hx", ["hx", "@:7:3"]),
            ("'my editor' \"-x y\" a\\ b", ["my editor", "-x y", "a b", "@"]),
            ("~/bin/ed", ["/h/bin/ed", "@"]),
        ] as [(String, [String])]) func `the built-in handler of a file opens the editor at the line`(
            editor: String, expected: [String]
        ) throws
    {
        let folder = try TemporaryFolder()
        let path = folder.path + "/-rf $(x)"
        try File.write("", to: path)
        let info: [String: PropertyValue] = [
            "file": .string(path), "line": .integer(7), "column": .integer(3),
        ]
        let found = plan(
            HandlerRegistry(), type: "org.baton.file", info,
            environment: ["EDITOR": "no", "VISUAL": editor, "HOME": "/h"])
        #expect(found.words == expected.map { $0.replacing("@", with: path) }, "\(found)")
    }

    /// The command that opens a file at its line in an editor.
    private func editing(
        _ path: String, line: Int64? = 7, in editor: String, _ environment: [String: String] = [:]
    ) -> [String]? {
        var info: [String: PropertyValue] = ["file": .string(path), "column": .integer(3)]
        if let line { info["line"] = .integer(line) }
        let environment = environment.merging(["EDITOR": editor, "HOME": "/h"]) { $1 }
        return plan(HandlerRegistry(), type: "org.baton.file", info, environment: environment).words
    }

    @Test(arguments: ["emacs -nw", "emacs", "/opt/emacs-30.1"])
    func `a new Emacs visits the file without using its git support`(editor: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a"
        try File.write("", to: path)
        let words = editor.split(separator: " ").map(String.init)
        let before = "(defvar baton--backends (prog1 vc-handled-backends (setq vc-handled-backends nil)))"
        let after = "(setq vc-handled-backends baton--backends)"
        #expect(
            editing(path, in: editor) == words + ["--eval", before, "+7:3", path, "--eval", after])
        #expect(
            editing(path, line: nil, in: editor) == words + ["--eval", before, path, "--eval", after])
    }

    @Test
    func `a running Emacs visits the file without using its git support, and no file name is evaluated`()
        throws
    {
        let folder = try TemporaryFolder()
        // With an accent behind it, a quotation mark is another character.
        let name = "\"\u{301}) (kill-emacs) (\"\\x"
        try File.write("", to: folder.path + "/" + name)
        let literal = "\"\(folder.path)/\\\"\u{301}) (kill-emacs) (\\\"\\\\x\""
        let visit =
            "(let ((vc-handled-backends nil)) (find-file \(literal)) (widen) (goto-char (point-min)) "
            + "(forward-line 6) (forward-char (min 2 (- (line-end-position) (point)))) nil)"
        let path = folder.path + "/" + name
        let words = editing(path, in: "/usr/bin/emacsclient -t")
        let expected = [
            "/usr/bin/emacsclient", "-t", "--alternate-editor=false", "--suppress-output", "--eval", visit,
        ]
        #expect(words?.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(words ?? [])")
    }

    @Test(
        arguments: [
            ("emacsclient", [:], false), ("emacsclient -a emacs", [:], false),
            ("emacsclient -a ''", [:], true), ("emacsclient --alternate-editor=", [:], true),
            ("emacsclient -t -a", [:], false), ("emacsclient", ["ALTERNATE_EDITOR": ""], true),
            ("emacsclient", ["ALTERNATE_EDITOR": "vi"], false),
            ("emacsclient --alternate-editor vi", ["ALTERNATE_EDITOR": ""], false),
        ] as [(String, [String: String], Bool)])
    func
        `the lisp expression is never passed as a file to the editor that emacsclient starts instead of Emacs`(
            editor: String, environment: [String: String], startsServer: Bool
        ) throws
    {
        let folder = try TemporaryFolder()
        try File.write("", to: folder.path + "/a")
        let words = try #require(editing(folder.path + "/a", in: editor, environment))
        #expect(words.contains("--alternate-editor=false") == !startsServer, "\(words)")
    }

    @Test func `the built-in handler of a file refuses a malformed line, and an editor that needs a shell`()
        throws
    {
        let info: [String: PropertyValue] = ["file": .string("/etc/passwd"), "line": .string("1|!sh")]
        let found = plan(HandlerRegistry(), type: "org.baton.file", info, environment: ["EDITOR": "vi"])
        #expect(found.failure?.text == "“Report” has “1|!sh” as its `line`, which is not a positive number.")
        for editor in ["$X", "vi; x", "`x`", "vi | x", "'vi", "vi \\", "\"$(x)\"", "''"] {
            let file = ["file": PropertyValue.string("/etc/passwd")]
            let found = plan(HandlerRegistry(), type: "org.baton.file", file, environment: ["EDITOR": editor])
            #expect(found.failure?.code == .usage, "\(editor)")
        }
        let usual = plan(HandlerRegistry(), type: "org.baton.file", ["file": .string("/etc/passwd")])
        #expect(usual.words == ["vi", "/etc/passwd"])
    }

    @Test func `the built-in handler of a web page opens allowed addresses only`() throws {
        let registry = HandlerRegistry()
        for url in [
            "https://example.org/a?b=$(x)&c='", "HTTP://x", "mailto:a@example.org",
            "mailto:a@b?Subject=R%26D%20?&cc=c@d&body=one%0D%0Atwo&to=e&bcc=f",
        ] {
            #expect(plan(registry, type: "org.baton.web", ["url": .string(url)]).words == ["xdg-open", url])
        }
        for url in [
            "file:///etc/passwd", "javascript:x", "-x", "--help", "/etc/passwd", "https", "", "x y:z",
            "https://a b", "mailto:x?ATTACH=/etc/passwd", "https://\u{1b}", "vnd.x:y",
            "mailto:x?%61ttach=/etc/passwd", "mailto:x?subject=a&%41ttachment=b", "mailto:x%3Fattach=b",
            "mailto:x?subject=a%26attach=b", "mailto:x?subject=a%0Aattach:b", "mailto:x?%2561ttach=b",
            "mailto:x?body=%00", "mailto:x?subject=%zz", "mailto:x%26attach=b", "mailto:x?insert=b",
            "https://a\u{202e}b", "https://a\u{2066}b", "https://a\u{200f}b", "https://a\u{200b}b",
        ] {
            let found = plan(registry, type: "org.baton.web", ["url": .string(url)])
            #expect(found.words == nil && found.failure != nil, "\(url)")
            // An unknown type is continued by its web page, by the same rules.
            #expect(plan(registry, type: "x", [:], webpage: url).failure != nil, "\(url)")
        }
        #expect(plan(registry, type: "x", [:], webpage: "https://a").words == ["xdg-open", "https://a"])
        #expect(plan(registry, type: "x", [:]).words == nil)
    }

    @Test func `the built-in handler of a manual page runs man`() throws {
        let registry = HandlerRegistry()
        let found = plan(
            registry, type: "org.baton.manual", ["page": .string("printf"), "section": .integer(3)])
        #expect(found.words == ["man", "--", "3", "printf"])
        let dashed = plan(registry, type: "org.baton.manual", ["page": .string("-P sh")])
        #expect(dashed.words == ["man", "--", "-P sh"])
        for info: [String: PropertyValue] in [
            ["page": .string("/tmp/x")], ["page": .string("")], ["page": .string("/\u{301}x")],
            ["page": .string("a"), "section": .string("--x")], [:],
        ] {
            #expect(plan(registry, type: "org.baton.manual", info).failure != nil, "\(info)")
        }
    }
}
