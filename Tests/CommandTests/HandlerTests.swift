import Foundation
import Support
import Testing

/// Handlers of activities, as real processes.
@Suite struct `Handlers as real processes` {
    private let account: Account
    private let folder: TemporaryFolder

    init() throws {
        (account, folder) = (try Account("laptop", "desktop"), try TemporaryFolder())
    }

    private var laptop: Machine { account[0] }
    private var desktop: Machine { account[1] }

    /// Writes a program that records its arguments, each with a terminator, and then runs the text.
    private func program(_ name: String, _ text: String = "") throws -> String {
        let file = folder.path + "/" + name
        try File.writeProgram(
            "#!/bin/sh\nfor word in \"$@\"; do printf '%s\\036' \"$word\"; done >'\(file).words'\n\(text)\n",
            to: file)
        return file
    }

    /// The arguments of such a program, or nil if it never ran.
    private func words(_ program: String) -> [String]? {
        File.read(program + ".words").map { $0.split(separator: "\u{1e}", omittingEmptySubsequences: false) }
            .map { $0.dropLast().map(String.init) }
    }

    /// Writes the desktop's configuration file, at its usual place.
    private func configure(_ text: String) throws {
        let base = folder.path + "/config"
        try FileManager.default.createDirectory(
            atPath: base + "/baton", withIntermediateDirectories: true)
        try File.write(text, to: base + "/baton/config.json5")
        desktop.variables["XDG_CONFIG_HOME"] = base
    }

    /// Starts an activity on the laptop, and waits until the desktop knows it.
    private func start(_ words: String..., title: String = "t") throws {
        let answer = try laptop.type(["baton", "start"] + words + ["--title", title])
        try #require(answer.status == 0, "\(answer)")
        try desktop.waitForActivity(titled: title)
    }

    @Test func `a handler gets hostile values unchanged, and no shell interprets them`() throws {
        let handler = try program("handler")
        try configure(
            "{ handlers: { 'org.example.*': { run: ['\(handler)', '+{line?}', '--', '{file}', 'x={x}', '{title}'] } } }"
        )
        let hostile =
            "a'b\"c $(touch \(folder.path)/owned) `touch \(folder.path)/owned`; touch \(folder.path)/owned {x}"
        try start(
            "org.example.editor", "--info", "file=-rf", "--info", "x=\(hostile)", "--info", "line:=42",
            title: "{file} $HOME")
        let answer = try desktop.baton("continue")
        #expect(answer.status == 0 && answer.output.isEmpty, "\(answer)")
        #expect(answer.errors.hasPrefix("“{file} $HOME”, fresh from “laptop”, "))
        #expect(words(handler) == ["+42", "--", "-rf", "x=" + hostile, "{file} $HOME"])
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/owned"))
        try eventually("a laptop that was told") {
            try laptop.list().first?["continued"]["device"]["name"] == .string("desktop")
        }
    }

    @Test func `a handler replaces the command's process, with its streams, exit status and signals`() throws
    {
        let handler = try program("handler", "cat; echo said >&2; echo $$; exit 37")
        let sleeper = try program("sleeper", "echo ready; exec sleep 600")
        try configure("{ handlers: { e: { run: ['\(handler)'] }, s: { run: ['\(sleeper)'] } } }")
        try start("e")
        let process = try desktop.begin(["baton", "continue", "e"], hasInput: true)
        process.write(Array("typed\n".utf8))
        process.closeInput()
        #expect(try process.wait() == 37)
        #expect(process.output == "typed\n\(process.number)\n", "\(process.output)\(process.errors)")
        #expect(process.errors.hasSuffix("\nsaid\n"))
        try start("s", title: "sleep")
        let sleeping = try desktop.begin(["baton", "continue", "s"])
        try eventually("a handler that runs") { sleeping.output == "ready\n" }
        #expect(sleeping.end(SIGTERM) == 128 + SIGTERM)
    }

    @Test func `built-in handlers open a file at its line, and print the path of a folder`() throws {
        let editor = try program("vim")
        desktop.variables["EDITOR"] = "'\(editor)' -n"
        let file = folder.path + "/a file"
        try File.write("", to: file)
        try start("org.baton.file", "--info", "file=\(file)", "--info", "line:=7", title: "file")
        try desktop.must("continue", "org.baton.file")
        #expect(words(editor) == ["-n", "+7", file])
        try start("org.baton.folder", "--info", "folder=\(folder.path)", title: "folder")
        let there = try desktop.type([
            "bash", "-c", "cd \"$(baton continue org.baton.folder --print)\" && pwd",
        ])
        #expect(there.output == folder.path + "\n", "\(there)")
        try FileManager.default.removeItem(atPath: file)
        try start("org.baton.file", "--info", "file=\(file)", title: "gone")
        let gone = try desktop.baton("continue", "org.baton.file")
        expect(gone, 11)
        #expect(gone.errors.contains("the file “\(file)”, which is not on this machine"), "\(gone)")
    }

    @Test func `a web page is opened by an installed program, and a missing program is reported`() throws {
        let opener = try program("xdg-open")
        desktop.variables["PATH"] = "\(folder.path):\(Products.folder):/usr/bin:/bin"
        try start("x", "--url", "https://example.org/$(x)", title: "page")
        try desktop.must("continue")
        #expect(words(opener) == ["https://example.org/$(x)"])
        try start("org.baton.web", "--info", "url=file:///etc/passwd", title: "file")
        expect(try desktop.baton("continue", "org.baton.web"), 1)
        try configure("{ handlers: { x: { run: ['no-such-program-at-all'] } } }")
        try start("x", title: "other")
        let answer = try desktop.baton("continue", "x")
        #expect(answer.status == 1, "\(answer)")
        #expect(
            answer.errors.hasPrefix("baton: The program no-such-program-at-all is not installed"),
            "\(answer)")
    }
}
