import BatonClient
import BatonCommand
import BatonCore
import ClientSupport
import Foundation
import Support
import Testing

@Suite struct `Copied content` {
    @Test func `the type of bytes is recognised from the bytes`() {
        #expect(ContentType.of(Array("Grüße\n".utf8)) == ContentType.text)
        #expect(ContentType.of([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]) == "image/png")
        #expect(ContentType.of([0xff, 0xd8, 0xff, 0xe0]) == "image/jpeg")
        #expect(ContentType.of(Array("RIFFxxxxWEBPVP8 ".utf8)) == "image/webp")
        #expect(ContentType.of([0x61, 0xff]) == ContentType.unknown)
        #expect(ContentType.of([0x61, 0]) == ContentType.unknown)
    }

    @Test(arguments: [
        "", "text/html", "text/plain", "image/", "image/PNG", "image/-t", "image/.", "image/png\n",
        "image/png --foreground",
        "image/a;b", "image/$(reboot)", "-t", "image/" + String(repeating: "a", count: 41),
    ]) func `a content type with unexpected characters is refused`(type: String) {
        #expect(!ContentType.isValid(type))
        #expect(CopiedContent(.object([.init("content", .string(type)), .init("size", .integer(1))])) == nil)
    }

    @Test func `a description is written on one line and read unchanged`() throws {
        for content in [
            CopiedContent(.data(type: "image/svg+xml", size: 7)),
            CopiedContent(
                .files([.init(name: "a\n\u{202e}b", size: 0), .init(name: "$(reboot)", size: 1 << 40)])),
        ] {
            let line = content.json.text
            #expect(!line.contains("\n"))
            #expect(CopiedContent(try JSON(reading: Array(line.utf8))) == content)
        }
    }

    @Test(arguments: [
        #"{}"#, #"{"content":"image/png"}"#, #"{"content":"image/png","size":-1}"#,
        #"{"content":"image/png","size":99999999999}"#, #"{"files":[]}"#, #"{"files":[{"name":"a"}]}"#,
        #"{"files":[{"name":"a","size":-1}]}"#, #"{"files":[{"name":7,"size":1}]}"#, #"[]"#, #"7"#,
    ]) func `a line without a valid size is refused`(line: String) throws {
        #expect(CopiedContent(try JSON(reading: Array(line.utf8))) == nil)
    }

    @Test func `the activity's payload does not contain the copied content`() {
        let content = CopiedContent(.files([.init(name: "a.txt", size: 3), .init(name: "b", size: 4)]))
        let change = content.change(replacing: ["k3v9"], until: Example.now)
        #expect(
            change.set == [
                .string("size"): .integer(7), .string("files"): .array([.string("a.txt"), .string("b")]),
                .string("replaces"): .array([.string("k3v9")]),
            ])
        #expect(change.eligibility == .handoff && change.supportsStreams == true)
        #expect(change.title == "Copied: 2 files, 7 bytes")
    }

    @Test func `a copy is later than the copy that it replaced, and otherwise the clocks decide`() {
        var (first, second) = (Example.summary("aaa"), Example.summary("bbb"))
        first.activity.started = Example.now
        #expect(first.isCopied(after: second) && !second.isCopied(after: first))
        // The second machine's clock is behind.
        second.activity.info[.string("replaces")] = .array([.string("aaa")])
        #expect(!first.isCopied(after: second) && second.isCopied(after: first))
        second.activity.info = [:]
        second.activity.started = Example.now
        #expect(!first.isCopied(after: second) && second.isCopied(after: first))
    }

    @Test func `text of another machine is printed without control characters`() {
        let lines = CopiedContent.lines("a\tb\n\u{1b}[2Jc\r\n\n\u{202e}d\n").map(\.text)
        #expect(lines == ["a\tb", "\\u{1b}[2Jc", "", "\\u{202e}d"])
    }

    // MARK: Names of files

    @Test(arguments: [
        ("report.pdf", "report.pdf"), ("报告.txt", "报告.txt"), ("👩‍👩‍👧.png", "👩‍👩‍👧.png"), ("$(reboot)", "$(reboot)"),
        ("../../etc/passwd", "_._.._etc_passwd"), ("..", "_."), (".", "_"), ("", "_"), (".bashrc", "_bashrc"),
        ("-c", "_c"), ("--force", "_-force"), ("~root", "_root"), ("a\nb", "a_b"), ("a\u{1b}[2Jb", "a_[2Jb"),
        ("\u{202e}fdp.exe", "_fdp.exe"), ("a/b", "a_b"), ("a\0b", "a_b"), ("+!sh", "+!sh"),
    ]) func `a file of another machine gets a safe name`(name: String, safe: String) {
        #expect(SavedName.safe(name) == safe)
    }

    @Test func `long names are cut before the extension, and equal names are made unique`() {
        let long = String(repeating: "ä", count: 200) + ".tar"
        let names = SavedName.safe([long, long, "a", "a", "A.txt", "a"])
        #expect(names[0].utf8.count <= 255 && names[0].hasSuffix("ä.tar"))
        #expect(names[1].utf8.count <= 255 && names[1].hasSuffix(" (2).tar"))
        #expect(Array(names[2...]) == ["a", "a (2)", "A.txt", "a (3)"])
    }

    // MARK: Saving

    @Test func `a file appears once it is complete, and replaces an existing file only on request`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a"
        do {
            var file = try NewFile(path)
            try file.write(Array("one".utf8)[...])
            #expect(File.read(path) == nil)
            try file.keep(replacing: false)
        }
        #expect(File.read(path) == "one")
        #expect(
            failure { () throws(LocalFailure) in try NewFile.demandFree(path) }?.text.contains("--force")
                == true)
        do {
            var file = try NewFile(path)
            try file.write(Array("two".utf8)[...])
            #expect(failure { () throws(LocalFailure) in try file.keep(replacing: false) }?.code == .failed)
        }
        #expect(File.read(path) == "one")
        do {
            var file = try NewFile(path)
            try file.write(Array("three".utf8)[...])
            try file.keep(replacing: true)
        }
        #expect(File.read(path) == "three")
        #expect(try folder.names() == ["a"])
    }

    @Test func `a file replaces a symbolic link, and the link's target is unchanged`() throws {
        let folder = try TemporaryFolder()
        try File.write("kept", to: folder.path + "/target")
        #expect(symlink("target", folder.path + "/link") == 0)
        #expect(failure { () throws(LocalFailure) in try NewFile.demandFree(folder.path + "/link") } != nil)
        var file = try NewFile(folder.path + "/link")
        try file.write(Array("new".utf8)[...])
        try file.keep(replacing: true)
        #expect(File.read(folder.path + "/target") == "kept")
        #expect(File.read(folder.path + "/link") == "new")
    }

    // MARK: Clipboards

    @Test func `files are preferred to text and text to images, and passwords are never copied`() {
        #expect(ClipboardOffer([]) == .nothing)
        #expect(ClipboardOffer(["TARGETS", "text/html"]) == .unknown)
        #expect(ClipboardOffer(["STRING", "UTF8_STRING", "text/plain"]) == .text("UTF8_STRING"))
        #expect(
            ClipboardOffer(["image/bmp", "image/png", "text/html"]) == .image("image/png"))
        #expect(ClipboardOffer(["image/bmp"]) == .image("image/bmp"))
        #expect(ClipboardOffer(["image/png", "text/plain"]) == .text("text/plain"))
        #expect(ClipboardOffer(["text/plain", "text/uri-list"]) == .files("text/uri-list"))
        #expect(ClipboardOffer(["text/plain", "x-kde-passwordManagerHint"]) == .secret)
        #expect(ClipboardOffer(["image/$(reboot)", "image/-t x"]) == .unknown)
    }

    @Test func `a clipboard's list of files is refused if a file is on another machine`() {
        #expect(
            FileList.paths(in: "# x\r\nfile:///a%20b\r\nfile://localhost/%C3%A4\r\n") == ["/a b", "/ä"])
        for list in [
            "https://example.org/", "file://other/a", "file:///a%00", "file:///a%zz", "/a", "file:a",
        ] {
            #expect(FileList.paths(in: list) == nil, "\(list)")
        }
    }

    @Test func `a folder counts as being in memory if its own file system is in memory`() {
        let table = "/dev/sda1 / ext4 rw 0 0\ntmpfs /run tmpfs rw 0 0\ntmpfs /tmp tmpfs rw 0 0\n"
        #expect(DesktopClipboard.isInMemory("/tmp", mounts: table))
        #expect(!DesktopClipboard.isInMemory("/var", mounts: table))
        #expect(!DesktopClipboard.isInMemory("/tmp", mounts: table + "/dev/sdb /tmp ext4 rw 0 0\n"))
    }

    @Test func `the terminal's escape sequence contains the text only in Base64`() {
        func text(_ multiplexer: TerminalClipboard.Multiplexer, _ text: String) -> String {
            String(
                decoding: TerminalClipboard.sequence(for: Array(text.utf8), in: multiplexer), as: UTF8.self)
        }
        #expect(text(.none, "hi\u{1b}\\") == "\u{1b}]52;c;aGkbXA==\u{7}")
        #expect(text(.tmux, "hi") == "\u{1b}Ptmux;\u{1b}\u{1b}]52;c;aGk=\u{7}\u{1b}\\")
        let long = text(.screen, String(repeating: "x", count: 600))
        let pieces = long.components(separatedBy: "\u{1b}\\").dropLast().map { $0.dropFirst(2) }
        #expect(pieces.allSatisfy { $0.utf8.count <= 240 } && pieces.count == 4)
        #expect(pieces.joined().hasPrefix("\u{1b}]52;c;eHh4"))
    }
}

extension TemporaryFolder {
    /// The sorted names of what is in the folder.
    fileprivate func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }
}
