import Foundation
import Support
import Testing

/// Apps that are started for what they continue, as their manifests say.
@Suite struct `Apps that are started` {
    private let account: Account
    private var desktop: Machine { account[1] }

    init() throws { account = try Account("laptop", "desktop") }

    /// Writes a manifest on the desktop, for a program that handles these types.
    private func declare(_ app: String, types: [String], _ more: String = "") throws {
        let folder = desktop.home + "/apps"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let script = "\(folder)/\(app).sh"
        let lines = types.map { "echo handle \($0); " }.joined()
        try File.writeProgram(
            "#!/bin/sh\n(\(lines)sleep 30) | '\(Products.folder)/ActivityProgram' runloop >'\(folder)/\(app).out' 2>&1\n",
            to: script)
        let list = types.map { "\"\($0)\"" }.joined(separator: ",")
        try File.write(
            "{ title: 'Editor', types: [\(list)], run: ['\(script)'] \(more) }", to: "\(folder)/\(app).json")
    }

    /// The output of the program that was started.
    private func output(_ app: String) -> String { File.read("\(desktop.home)/apps/\(app).out") ?? "" }

    /// Puts a script on the path in place of `systemd-run`.
    private func act(_ script: String) throws {
        let bin = account.folder.path + "/bin"
        try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
        try File.writeProgram(
            "#!/bin/sh\necho \"$*\" >>'\(bin)/asked'\n\(script)\n", to: bin + "/systemd-run")
        desktop.variables["PATH"] = "\(bin):\(Products.folder):/usr/bin:/bin"
    }

    private var asked: String { File.read(account.folder.path + "/bin/asked") ?? "" }

    /// A script that does what the service manager does: it sets the variables, and starts the program on its own.
    private static let running = """
        while [ "$1" != -- ]; do case "$1" in --setenv=*) export "${1#--setenv=}" ;; esac; shift; done
        shift
        setsid "$@" </dev/null >/dev/null 2>&1 &
        """

    @Test(arguments: [true, false])
    func `an app is started to continue an activity, by the service manager or directly`(hasManager: Bool)
        throws
    {
        try act(hasManager ? Self.running : "exit 1")
        try declare("org.example.editor", types: ["org.example.edit"])
        try account[0].must("start", "org.example.edit", "--title", "Draft", "--info", "k=v")
        try desktop.waitForActivity(titled: "Draft")
        #expect(try desktop.must("handlers").contains("Editor (app, started when it is needed)"))
        let answer = try desktop.must("continue", "org.example.edit")
        #expect(
            answer.contains("continues in Editor") || answer.contains("continues in org.example.editor"),
            "\(answer)")
        try eventually("the activity in the app: \(output("org.example.editor"))") {
            output("org.example.editor").contains("continue org.example.edit Draft [k=v] by closure on main")
        }
        #expect(
            asked.contains("--user") && asked.contains("--setenv=BATON_APP=org.example.editor"), "\(asked)")
    }

    @Test func `a terminal app replaces the command in its terminal, and continues the activity`() throws {
        let folder = desktop.home + "/apps"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try File.write(
            "{ types: ['org.example.edit'], run: ['\(Products.folder)/ActivityProgram', 'readline'], terminal: true }",
            to: "\(folder)/org.example.editor.json")
        try account[0].must("start", "org.example.edit", "--title", "Draft", "--info", "k=v")
        try desktop.waitForActivity(titled: "Draft")
        let program = try desktop.begin(["baton", "continue", "org.example.edit"], hasInput: true)
        try program.hear("ready")
        try program.take("handle org.example.edit")
        try program.hear("continue org.example.edit Draft [k=v] by closure on elsewhere")
        #expect(program.errors.contains("“Draft”, fresh from “laptop”"), "\(program.errors)")
        program.closeInput()
        #expect(try program.wait() == 0)
    }

    @Test
    func `a terminal app does not continue an activity that has changed its type since the person saw it`()
        throws
    {
        let (folder, gate) = (desktop.home + "/apps", account.folder.path + "/gate")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(mkfifo(gate, 0o600) == 0)
        try File.writeProgram(
            "#!/bin/sh\necho started\nread line <'\(gate)'\nexec '\(Products.folder)/ActivityProgram'\n",
            to: "\(folder)/editor.sh")
        try File.write(
            "{ types: ['org.example.edit'], run: ['\(folder)/editor.sh'], terminal: true }",
            to: "\(folder)/org.example.editor.json")
        try account[0].must("start", "org.example.edit", "--instance", "w", "--title", "Draft")
        try desktop.waitForActivity(titled: "Draft")
        let program = try desktop.begin(["baton", "continue", "org.example.edit"], hasInput: true)
        try program.hear("started")
        try account[0].must("start", "org.example.secret", "--instance", "w", "--title", "Other")
        try desktop.waitForActivity(titled: "Other")
        try desktop.shell("echo >'\(gate)'").wait()
        try program.hear("ready")
        try program.take("delegate org.example.edit")
        try program.hear("failed org.example.edit")
        #expect(program.count(beginning: "continue") == 0, "\(program.output)")
        program.closeInput()
        #expect(try program.wait() == 0)
    }

    @Test func `an app is started to continue a search`() throws {
        try act(Self.running)
        let type = "com.apple.corespotlightquerycontinuation"
        try declare("org.example.editor", types: [type], ", searches: true")
        let answer = try desktop.must("search", "--in", "org.example.editor", "annual", "report")
        #expect(answer.contains("The search goes on in"), "\(answer)")
        try eventually("the search in the app: \(output("org.example.editor"))") {
            output("org.example.editor").contains(
                "continue \(type) - [kCSSearchQueryString=annual report] by closure on main")
        }
    }

    @Test func `an app is started to open a search result, and the running app opens the next one`() throws {
        try act(Self.running)
        let type = "com.apple.corespotlightitem"
        try declare("org.example.editor", types: [type])
        for name in ["7", "8"] {
            try account[0].must("index", "add", "org.example.editor", "n\(name)", "--title", "Report \(name)")
        }
        let opened = { (name: String) in
            "continue \(type) - [kCSSearchableItemActivityIdentifier=n\(name)] by closure on main"
        }
        for (place, name) in ["7", "8"].enumerated() {
            try eventually("the item on the desktop") {
                try desktop.json("search", "report", name)["results"].list.count == 1
            }
            try desktop.must("search", "report", name, "--open")
            try eventually("the item in the app: \(output("org.example.editor"))") {
                output("org.example.editor").contains(opened(name))
            }
            #expect(asked.split(separator: "\n").count == 1, "start \(place + 1): \(asked)")
        }
        #expect(output("org.example.editor").components(separatedBy: "continue ").count == 3)
        // An item that is gone starts nothing.
        try account[0].must("index", "delete", "org.example.editor", "n7")
        try eventually("the deletion") {
            try desktop.json("search", "report", "7")["results"].list.isEmpty
        }
        #expect(try desktop.baton("search", "report", "7", "--open").status != 0)
    }

    @Test func `an app that can't be started opens nothing, and the command reports why`() throws {
        try act("exit 1")
        let folder = desktop.home + "/apps"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try File.write(
            "{ title: 'Editor', run: ['\(folder)/no-such-program'] }",
            to: "\(folder)/org.example.editor.json")
        try desktop.must("index", "add", "org.example.editor", "n7", "--title", "Annual report")
        let answer = try desktop.baton("search", "annual", "--open")
        #expect(answer.status != 0 && answer.errors.contains("no-such-program"), "\(answer)")
    }

    @Test func `a manifest that is invalid or writable by others is reported and not used`() throws {
        try declare("org.example.editor", types: ["org.example.edit"], ", no: true")
        let list = try desktop.must("handlers")
        #expect(list.contains("Not used: ") && !list.contains("Editor"), "\(list)")
        try declare("org.example.editor", types: ["org.example.edit"])
        chmod(desktop.home + "/apps/org.example.editor.json", 0o666)
        #expect(try desktop.must("handlers").contains("Not used: Other users can change"))
    }
}
