import Foundation
import Support
import Testing

/// Continuing tells the other machine's app once, and only when something here has the activity.
@Suite struct `A continuation happens once` {
    private let account: Account
    private var laptop: Machine { account[0] }
    private var desktop: Machine { account[1] }
    /// The program that began the activity; it ends it as soon as it hears that it was continued.
    private let writing: ChildProcess

    init() throws {
        account = try Account("laptop", "desktop")
        writing = try account[0].program()
        // Once it has ended, only what is required is kept of the payload.
        try writing.take(
            "make a org.example.edit Draft", "set a name x", "set a text all-of-it", "require a name",
            "search a",
            "leave", "current a")
        try account[1].waitForActivity(titled: "Draft")
    }

    /// Checks that the program has heard of one continuation, and that its activity has ended.
    private func expectContinuedOnce() throws {
        try writing.hear("continued Draft")
        try eventually("its end on the laptop") {
            try !laptop.list().contains {
                $0["title"] == .string("Draft") && $0["device"]["name"] == .string("laptop")
            }
        }
        try writing.take("nothing")
        #expect(writing.count(beginning: "continued") == 1, "\(writing.output)")
    }

    /// Checks that the program has heard of no continuation, and that its activity goes on.
    private func expectUnchanged(_ answer: Answer) throws {
        for machine in account.machines {
            #expect(try machine.list().contains { $0["title"] == .string("Draft") }, "\(answer)")
        }
        try writing.take("nothing")
        #expect(writing.count(beginning: "continued") == 0, "\(writing.output)")
    }

    /// Whether an app is registered on the desktop.
    private func handles(_ app: String) throws -> Bool {
        try desktop.json("handlers")["handlers"].list.contains { $0["app"]["id"] == .string(app) }
    }

    private func writeFolder(_ name: String) throws -> String {
        let folder = desktop.home + name
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test(arguments: [[], ["--take"]])
    func `a running app gets the whole payload, and its activity is continued once`(options: [String]) throws
    {
        let reading = try desktop.program()
        try reading.take("handle org.example.edit")
        let answer = try eventual("an app that continues it") { () -> Answer? in
            try handles("org.example.program")
                ? try desktop.type(["baton", "continue", "org.example.edit"] + options) : nil
        }
        #expect(answer.status == 0 && answer.output.contains("fresh from its app on “laptop”"), "\(answer)")
        let heard = try reading.hear("continue org.example.edit Draft")
        #expect(heard.contains("text=all-of-it") && heard.contains("saves="), "\(heard)")
        try expectContinuedOnce()
    }

    @Test(arguments: [false, true])
    func `a started app gets the whole payload`(isInTerminal: Bool) throws {
        let folder = try writeFolder("/apps")
        let (script, output) = (folder + "/editor.sh", folder + "/editor.out")
        try File.writeProgram(
            "#!/bin/sh\n(echo handle org.example.edit; sleep 30) | '\(Products.folder)/ActivityProgram' runloop >'\(output)' 2>&1\n",
            to: script)
        try File.write(
            "{ types: ['org.example.edit'], run: ['\(script)'], terminal: \(isInTerminal) }",
            to: folder + "/org.example.editor.json")
        desktop.variables["PATH"] = "\(try writeFolder("/bin")):\(Products.folder):/usr/bin:/bin"
        try File.writeProgram("#!/bin/sh\nexit 1\n", to: desktop.home + "/bin/systemd-run")
        let command = try desktop.begin(["baton", "continue", "org.example.edit", "--take"])
        try eventually("the activity in the app: \(command.output)\(command.errors)") {
            (File.read(output) ?? "").contains("continue org.example.edit Draft [name=x,saves=")
        }
        #expect((File.read(output) ?? "").contains("text=all-of-it"))
        try expectContinuedOnce()
        if isInTerminal { command.end(SIGKILL) } else { #expect(try command.wait() == 0) }
    }

    @Test(arguments: [[], ["--take"]])
    func `a handler's command gets the whole payload, and a command with a missing value changes nothing`(
        options: [String]
    ) throws {
        let file = try writeFolder("/config") + "/c.json5"
        try File.write("{ handlers: { 'org.example.edit': { run: ['echo', '{missing}'] } } }", to: file)
        let failed = try desktop.type(["baton", "continue", "org.example.edit", "--config", file] + options)
        #expect(failed.status == 1, "\(failed)")
        try expectUnchanged(failed)
        try File.write("{ handlers: { 'org.example.edit': { run: ['no-such-program'] } } }", to: file)
        let missing = try desktop.type(["baton", "continue", "org.example.edit", "--config", file] + options)
        #expect(missing.status == 1 && missing.errors.contains("not installed"), "\(missing)")
        try expectUnchanged(missing)
        try File.write("{ handlers: { 'org.example.edit': { run: ['echo', 'got', '{text}'] } } }", to: file)
        let answer = try desktop.type(["baton", "continue", "org.example.edit", "--config", file] + options)
        #expect(answer.status == 0 && answer.output.contains("got all-of-it"), "\(answer)")
        try expectContinuedOnce()
    }

    @Test func `an app that does not confirm leaves the activity unchanged`() throws {
        let deaf = try desktop.begin(["baton", "app", "org.example.deaf"], hasInput: true)
        deaf.write(Array("{\"handle\":[\"org.example.edit\"],\"id\":1}\n".utf8))
        try eventually("the registration: \(deaf.output)") { deaf.output.contains(#"{"id":1,"done":true}"#) }
        let answer = try desktop.baton("continue", "org.example.edit", "--take")
        #expect(answer.status == 1 && answer.errors.contains("did not confirm"), "\(answer)")
        #expect(answer.errors.contains("The activity is as it was."), "\(answer)")
        try eventually("the event: \(deaf.output)") {
            deaf.output.contains(#"{"event":"continue","number":"#)
        }
        try expectUnchanged(answer)
        // A late confirmation is refused, so that the app does not continue what goes on elsewhere.
        let number = try #require(deaf.output.firstMatch(of: /"event":"continue","number":([0-9]+)/)?.1)
        deaf.write(Array("{\"opened\":\(number),\"id\":2}\n".utf8))
        try eventually("a refusal: \(deaf.output)") { deaf.output.contains(#"{"id":2,"error":"#) }
        deaf.closeInput()
        #expect(try deaf.wait() == 0)
        // Without the app, it continues.
        try eventually("the end of the registration") {
            try !handles("org.example.deaf")
        }
        try desktop.must("continue", "org.example.edit")
        try expectContinuedOnce()
    }

    @Test func `a link continues the current activity, and later the saved activity`() throws {
        try writing.take("identify a p-1")
        let link = try eventual("a link") { () -> String? in
            let answer = try desktop.baton("link", "Draft")
            return answer.status == 0 ? answer.output : nil
        }
        #expect(link == "baton://activity/org.example.program/org.example.edit/persistent/p-1\n")
        let file = try writeFolder("/config") + "/c.json5"
        try File.write(
            "{ handlers: { 'org.example.edit': { run: ['echo', 'got', '{text?}', '{name}'] } } }", to: file)
        let name = String(link.dropLast())
        #expect(try desktop.must("open", name, "--config", file).contains("got all-of-it x"))
        try expectContinuedOnce()
        try eventually("the activity as it ended") {
            let answer = try desktop.baton("open", name, "--config", file)
            return answer.status == 0 && answer.output.contains("got x")
        }
        try writing.take("delete p-1")
        try eventually("that it is gone") { try desktop.baton("open", name).status == 11 }
    }
}
