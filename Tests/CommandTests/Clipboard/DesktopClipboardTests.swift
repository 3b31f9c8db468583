import Foundation
import Support
import Testing

/// The clipboards of X11, Wayland and terminals, through the programs that people have.
@Suite struct `The clipboard of a desktop or a terminal` {
    private let account: Account
    private let folder: CopyFolder

    init() throws {
        account = try Account("laptop", "desktop")
        folder = try CopyFolder()
    }

    private var laptop: Machine { account[0] }
    private var desktop: Machine { account[1] }

    private static let image: [UInt8] =
        [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        + (0..<200_000).map { (place: Int) -> UInt8 in UInt8(place * 31 % 251) }

    /// Programs of one way to reach a clipboard: to put bytes of a type there, and to get them.
    private struct Way: Sendable {
        let put: @Sendable (_ type: String, _ file: String) -> String
        let get: @Sendable (_ type: String) -> String

        static let x11 = Way(
            put: { "xclip -selection clipboard -t '\($0)' -i '\($1)' >/dev/null 2>&1" },
            get: { "xclip -selection clipboard -o -t '\($0)'" })
        static let wayland = Way(
            put: { "wl-copy --type '\($0)' <'\($1)' >/dev/null 2>&1" },
            get: { "wl-paste --no-newline --type '\($0)'" })
    }

    /// Copies from the desktop of the laptop, and pastes into that of the other machine.
    private func check(_ way: Way, text type: String) throws {
        let hostile = Array("$(reboot)\n-c 'x' \"y\" \u{1b}[2J Grüße".utf8)
        let text = try folder.write(hostile, to: "text")
        try laptop.run(way.put(type, text))
        #expect(try laptop.run("baton copy --clipboard").hasPrefix("Copied text, \(hostile.count) bytes."))
        try desktop.waitForCopies("text, \(hostile.count) bytes")
        #expect(try desktop.run("baton paste --clipboard").contains("The clipboard has text"))
        try desktop.run("\(way.get(type)) >\(folder.path)/got")
        #expect(folder.read("got") == hostile)

        let image = try folder.write(Self.image, to: "image")
        try laptop.run(way.put("image/png", image))
        try laptop.run("baton copy --clipboard")
        try desktop.waitForCopies("image (png), 200 KB")
        try desktop.run("baton paste --clipboard")
        try desktop.run("\(way.get("image/png")) >\(folder.path)/got")
        #expect(folder.read("got") == Self.image)

        // Files of the desktop are copied as files.
        let first = try folder.write(Array("one".utf8), to: "there/a b.txt")
        let list = "# files\r\nfile://\(first.split(separator: " ").joined(separator: "%20"))\r\n"
        try laptop.run(way.put("text/uri-list", try folder.write(Array(list.utf8), to: "list")))
        try laptop.run("baton copy --clipboard")
        try desktop.waitForCopies("a b.txt, 3 bytes")
        let refused = try desktop.answer("baton paste --clipboard")
        #expect(
            refused.status == 2 && refused.errors.contains("Files can't be put into a clipboard"),
            "\(refused)")

        // A password stays where it is.
        try laptop.run(
            way.put("x-kde-passwordManagerHint", try folder.write(Array("secret".utf8), to: "hint")))
        let secret = try laptop.answer("baton copy --clipboard")
        #expect(secret.status == 14 && secret.errors.contains("password"), "\(secret)")
        try desktop.waitForCopies("a b.txt, 3 bytes")
    }

    @Test(.enabled(if: Desktop.hasX11, Desktop.advice))
    func `xclip copies and pastes text, images and files, and no passwords`() throws {
        let desktops = try [Desktop.x11(), Desktop.x11()]
        laptop.use(desktops[0])
        desktop.use(desktops[1])
        let empty = try laptop.answer("baton copy --clipboard")
        #expect(empty.status == 11 && empty.errors.contains("The clipboard is empty"), "\(empty)")
        try check(.x11, text: "UTF8_STRING")
    }

    @Test(.enabled(if: Desktop.hasWayland, Desktop.advice))
    func `wl-copy and wl-paste copy and paste text, images and files, and no passwords`() throws {
        let desktops = try [Desktop.wayland(), Desktop.wayland()]
        laptop.use(desktops[0])
        desktop.use(desktops[1])
        let empty = try laptop.answer("baton copy --clipboard")
        #expect(empty.status == 11 && empty.errors.contains("The clipboard is empty"), "\(empty)")
        try check(.wayland, text: "text/plain;charset=utf-8")
    }

    @Test(.enabled(if: Desktop.hasX11, Desktop.advice))
    func
        `with only xsel installed, text is pasted to the clipboard, and copying from the clipboard is refused`()
        throws
    {
        let server = try Desktop.x11()
        desktop.use(server)
        let bin = folder.path + "/bin"
        try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: false)
        for program in ["xsel", "bash"] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(bin)/\(program)", withDestinationPath: "/usr/bin/\(program)")
        }
        desktop.variables["PATH"] = "\(Products.folder):\(bin)"
        try laptop.copy(Array("-c $(reboot)".utf8), in: folder)
        try desktop.waitForCopies("text, 12 bytes")
        try desktop.run("baton paste --clipboard")
        #expect(try desktop.run("xsel --clipboard --output") == "-c $(reboot)")
        let refused = try desktop.answer("baton copy --clipboard")
        #expect(refused.status == 1 && refused.errors.contains("Install xclip"), "\(refused)")
        try laptop.copy(Self.image, in: folder)
        try desktop.waitForCopies("image (png), 200 KB")
        #expect(try desktop.answer("baton paste --clipboard").errors.contains("Install xclip"))
        // Without any program, the person learns what to install.
        desktop.variables["PATH"] = Products.folder
        #expect(try desktop.baton("paste", "--clipboard").errors.contains("Install xclip"))
    }

    // MARK: Terminals

    /// Runs a command in a terminal of its own, and returns everything that the terminal got.
    private func terminal(_ command: String, type: String = "xterm-256color") throws -> String {
        desktop.variables["TERM"] = type
        return try desktop.run("script --quiet --return --command '\(command)' /dev/null </dev/null")
    }

    @Test func `a terminal gets text by OSC 52, and pasted text is shown without control characters`() throws
    {
        try laptop.copy(Array("a\u{1b}[31mb\n".utf8), in: folder)
        try desktop.waitForCopies("text, 8 bytes")
        let shown = try terminal("baton paste --clipboard")
        #expect(shown.contains("\u{1b}]52;c;YRtbMzFtYgo=\u{7}"), "\(shown.debugDescription)")
        #expect(try terminal("baton paste") == "a\\u{1b}[31mb\r\n")
        // There are limits to what terminals take.
        try laptop.copy(Array(repeating: 97, count: 75_000), in: folder)
        try desktop.waitForCopies("text, 75 KB")
        let refused = try desktop.answer(
            "script --quiet --return --command 'baton paste --clipboard' /dev/null </dev/null")
        #expect(refused.status == 15 && refused.output.contains("--output FILE"), "\(refused)")
        let nowhere = try desktop.answer("setsid --wait baton paste --clipboard")
        #expect(nowhere.status != 0, "\(nowhere)")
    }

    @Test(.enabled(if: TerminalShell.isThere, Desktop.advice))
    func `tmux forwards text to the outer terminal`() throws {
        try laptop.copy(Array("through tmux".utf8), in: folder)
        try desktop.waitForCopies("text, 12 bytes")
        // The first terminal is that of tmux, which has another inside.
        let socket = folder.path + "/tmux"
        let inside =
            "baton paste --clipboard >\(folder.path)/said 2>&1; tmux show-buffer >\(folder.path)/buffer"
        try folder.write(
            Array("tmux -S \(socket) -f /dev/null new-session \"\(inside)\"\n".utf8), to: "session")
        let shown = try terminal("sh \(folder.path)/session")
        #expect(folder.read("buffer") == Array("through tmux".utf8))
        #expect(shown.contains("]52;") && shown.contains("dGhyb3VnaCB0bXV4"), "\(shown.debugDescription)")
    }
}
