import Foundation
import Support
import Testing

/// `baton browser`, with a browser that the test plays.
///
/// `Tests/Browsers/check` runs real ones.
@Suite struct `Browsers with the extension` {
    private static let origin = "chrome-extension://enjnibdbjniakoblkpomplinhhdennoh/"

    private func message(_ text: String) -> [UInt8] {
        withUnsafeBytes(of: UInt32(text.utf8.count)) { Array($0) } + Array(text.utf8)
    }

    private func begin(_ machine: Machine) throws -> ChildProcess {
        let host = try machine.begin(["baton", "browser", "host", "--", Self.origin], hasInput: true)
        host.write(message(#"{"handle":"Chromium","id":1}"#) + message(#"{"watch":true,"id":2}"#))
        return host
    }

    @Test func `a page of one browser is listed and continued in the browser of the other machine`() throws {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        let (here, there) = (try begin(laptop), try begin(desktop))
        here.write(message(#"{"become":{"title":"News","url":"https://a.b/c","scroll":0.5},"id":3}"#))
        let page = try desktop.waitForActivity(titled: "News")
        #expect(page["type"] == .string("org.baton.web") && page["url"] == .string("https://a.b/c"))
        #expect(page["app"] == .string("org.baton.browser"))
        try eventually("the page in the other browser: \(there.output)") {
            there.output.contains(#""device":"laptop","title":"News","url":"https://a.b/c","scroll":0.5"#)
        }
        #expect(!here.output.contains(#""device":"laptop""#), "its own page is not listed")
        let identifier = try #require(page["id"].string)
        there.write(message(#"{"continue":"\#(identifier)","id":4}"#))
        try eventually("the latest place is asked for: \(here.output)") {
            here.output.contains(#""event":"save""#)
        }
        here.write(
            message(#"{"saved":1,"update":{"title":"News","url":"https://a.b/c","scroll":0.75},"id":4}"#))
        try eventually("the page: \(there.output)") {
            there.output.contains(#"{"id":4,"page":{"id":"\#(identifier)","device":"laptop""#)
                && there.output.contains(#""scroll":0.75"#)
        }
        // The person types it in a shell: the browser that runs gets it.
        let typed = try desktop.begin(["baton", "continue", "News"])
        try eventually("the page is handed over: \(there.output)") {
            there.output.contains(#""event":"continue""#)
        }
        here.write(message(#"{"saved":2,"id":5}"#))
        let number = try #require(there.output.firstMatch(of: /"event":"continue","number":(\d+)/)?.1)
        there.write(message(#"{"opened":\#(number),"id":5}"#))
        #expect(try typed.wait() == 0, "\(typed.output)\(typed.errors)")
        #expect(typed.output.contains("“News” continues in Chromium."), "\(typed.output)")
        here.closeInput()
        #expect(try here.wait() == 0, "\(here.errors)")
        try desktop.waitForEnd(ofActivityTitled: "News")
    }

    @Test func `an activity without a page can't be taken over, and secrets in addresses are not sent`()
        throws
    {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        try laptop.must("start", "org.example.note", "--instance", "x", "--title", "Note")
        let note = try #require(try desktop.waitForActivity(titled: "Note")["id"].string)
        let (here, there) = (try begin(laptop), try begin(desktop))
        there.write(
            message(#"{"continue":"\#(note)","take":true,"id":4}"#) + message(#"{"opened":1,"id":5}"#)
                + message(#"{"continue":"org.example.note","take":true,"id":6}"#))
        for id in 4...6 {
            try eventually("a refusal of \(id): \(there.output)") {
                there.output.contains(#"{"id":\#(id),"error""#)
            }
        }
        #expect(try laptop.list().contains { $0["id"] == .string(note) && $0["continued"] == .null })
        #expect(!there.output.contains("Note"))
        here.write(message(#"{"become":{"title":"News","url":"https://a.b/c?code=1#x"},"id":3}"#))
        #expect(try desktop.waitForActivity(titled: "News")["url"] == .string("https://a.b/c"))
    }

    @Test func `a page that was sent to a device outlives the browser`() throws {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        let here = try begin(laptop)
        here.write(
            message(
                #"{"become":{"title":"Sent","url":"https://a.b/"},"instance":"sent-1","lasting":true,"id":3}"#
            )
                + message(#"{"send":"desktop","instance":"sent-1","id":4}"#))
        try eventually("it is sent: \(here.output)") { here.output.contains(#"{"id":4,"activity":{"#) }
        here.closeInput()
        #expect(try here.wait() == 0)
        laptop.killNode()
        try laptop.startNode()
        try eventually("it is offered there") {
            try desktop.waitForActivity(titled: "Sent")["sentHere"] == .boolean(true)
        }
        #expect(try desktop.waitForActivity(titled: "Sent")["expires"] != .null)
    }

    @Test func `a host waits for the node, and sends a page once the node runs`() throws {
        let account = try Account("laptop")
        let laptop = account[0]
        laptop.killNode()
        let here = try begin(laptop)
        here.write(message(#"{"become":{"title":"News","url":"https://a.b/c"},"id":3}"#))
        try eventually("that it is told: \(here.output)") { here.output.contains(#"{"event":"lost"}"#) }
        try laptop.startNode()
        try laptop.waitForActivity(titled: "News")
        #expect(here.output.contains(#"{"event":"back"}"#))
        here.closeInput()
        #expect(try here.wait() == 0)
    }

    @Test func `malformed, too long and incomplete messages are refused without harm`() throws {
        let laptop = try Account("laptop")[0]
        let here = try laptop.begin(["baton", "browser", "host", "--", Self.origin], hasInput: true)
        for text in [
            "", "nonsense", "[[[[", #"{"become":"#, "\u{0}", #"{"index":{"item":"x","title":"y"},"id":1}"#,
        ] {
            here.write(message(text))
        }
        here.write(message(String(repeating: "x", count: 300 << 10)))
        here.write(message(#"{"devices":true,"id":7}"#))
        try eventually("the answer to the last: \(here.output)") {
            here.output.contains(#"{"id":7,"devices":[]}"#)
        }
        #expect(here.output.contains("this line is too long"))
        #expect(here.output.contains(#"{"id":1,"error""#))
        here.write([255, 255, 255, 255, 1, 2])
        here.closeInput()
        #expect(try here.wait() == 0, "\(here.errors)")
    }

    @Test func `the host serves only the extension`() throws {
        let laptop = try Account("laptop")[0]
        for words in [
            [], ["chrome-extension://abcdefghijklmnopabcdefghijklmnop/"], ["/manifest.json", "x@y.z"],
        ] {
            let answer = try laptop.type(["baton", "browser", "host", "--"] + words)
            #expect(answer.status == 14 && answer.output.isEmpty, "\(answer)")
        }
    }

    @Test func `a node starts even if a browser host is installed`() throws {
        let laptop = try Account("laptop")[0]
        try laptop.must("browser", "install")
        laptop.killNode()
        try laptop.startNode()
        try laptop.must("browser", "uninstall")
    }

    @Test
    func `installing and uninstalling list the files they write or delete, and uninstalling leaves none`()
        throws
    {
        let folder = try TemporaryFolder()
        let laptop = Machine("laptop", in: folder)
        let files = {
            (FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? [])
                // A folder of configuration is not the browser's, and stays.
                .filter { !$0.hasPrefix(".written") && $0 != ".config" }.sorted()
        }
        let before = files()
        let answer = try laptop.must("browser", "install", "chromium", "firefox", "brave")
        #expect(answer.contains("Wrote \(laptop.home)/browser/host.\n"), "\(answer)")
        #expect(
            answer.contains("Wrote \(folder.path)/.mozilla/native-messaging-hosts/org.baton.browser.json.\n"))
        #expect(answer.contains("/Browser:\n"), "\(answer)")
        let script = try #require(File.read(laptop.home + "/browser/host"))
        #expect(
            script.hasSuffix("exec \(Products.baton) browser host --home \(laptop.home) -- \"$@\"\n"),
            "\(script)")
        #expect(try laptop.json("browser", "install")["written"].list.isEmpty)
        #expect(try laptop.must("browser", "uninstall").contains("Removed "))
        #expect(files() == before)
        let nothing = try laptop.must("browser", "uninstall")
        #expect(nothing.hasPrefix("Nothing was installed for browsers.\n"), "\(nothing)")
        for (words, text) in [
            (["nothing"], "Unknown action: nothing."), (["install", "lynx"], "Unknown browser: lynx."),
            (["uninstall", "firefox"], "name none"),
        ] {
            let refused = try laptop.type(["baton", "browser"] + words)
            #expect(refused.status == 2 && refused.errors.contains(text), "\(refused)")
        }
    }

    @Test func `a manifest of another program is reported and kept`() throws {
        let folder = try TemporaryFolder()
        let laptop = Machine("laptop", in: folder)
        let path = folder.path + "/.config/chromium/NativeMessagingHosts/org.baton.browser.json"
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try File.write("mine", to: path)
        for action in ["install", "uninstall"] {
            let answer = try laptop.baton("browser", action)
            #expect(answer.status == 1 && answer.errors.contains(path), "\(answer)")
            #expect(File.read(path) == "mine")
        }
    }
}
