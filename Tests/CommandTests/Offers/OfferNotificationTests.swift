import Foundation
import Support
import Testing

/// `baton watch --notify`, with real nodes: with a program in the place of `notify-send`, and with the real one.
@Suite struct `Notifications that offer to continue` {
    private let account: Account
    private let folder: String

    init() throws {
        account = try Account("laptop", "desktop")
        folder = account.folder.path
        try FileManager.default.createDirectory(atPath: folder + "/bin", withIntermediateDirectories: false)
        desktop.variables["PATH"] = "\(folder)/bin:\(Products.folder):/usr/bin:/bin"
        // A terminal that has no window runs the command at once.
        try program("xdg-terminal-exec", "printf '%s\\n' \"$@\" >\(folder)/window\nexec \"$@\"")
        try program(
            "record", "printf '%s\\n' \"$#\" \"$@\" >\(folder)/part; mv \(folder)/part \(folder)/handled")
        try File.write(
            #"{ handlers: { "org.example.edit": { run: ["record", "--", "{title}"] } } }"#,
            to: folder + "/config.json5")
        desktop.variables["BATON_CONFIG"] = folder + "/config.json5"
    }

    private var laptop: Machine { account[0] }
    private var desktop: Machine { account[1] }

    /// Puts a script into the first folder of the path.
    private func program(_ name: String, _ script: String) throws {
        try File.writeProgram("#!/bin/sh\n\(script)\n", to: "\(folder)/bin/\(name)")
    }

    /// Starts an activity on the laptop, and then uses the desktop.
    private func changeOver(title: String) throws {
        try laptop.must("start", "org.example.edit", "--instance", "w", "--title", title)
        try eventually("the activity on the desktop") {
            try desktop.list().contains { $0["title"] == .string(title) }
        }
    }

    private static let titles = ["$(reboot)", "-c", "--hint=string:x:y", "a\nb", "+!sh", "<b>x</b> & \\n"]

    @Test(arguments: titles)
    func `a person who changes machines is offered the activity, and the notification's action continues it`(
        title: String
    )
        throws
    {
        // The arguments are separated by zeros, so that each stays one.
        try program(
            "notify-send",
            "[ -e \(folder)/asked ] && exit\nfor word; do printf '%s\\0' \"$word\"; done >\(folder)/part; mv \(folder)/part \(folder)/asked; echo continue"
        )
        try changeOver(title: title)
        let watch = try desktop.begin(["baton", "watch", "--notify"])
        try waitUntilReady(watch)
        try desktop.must("start", "org.example.other", "--instance", "w", "--title", "Mine")
        if title.contains("\n") {
            // A handler gets no title with a line break, whatever offered it.
            try eventually("a failure: \(watch.errors)") { watch.errors.contains("control character U+A") }
        } else {
            let handled = try eventual(
                "a handler; the watch said: \(watch.errors)", attempt: { File.read(folder + "/handled") })
            #expect(handled == "2\n--\n\(title)\n")
            // The window gets an identifier, and the handler the title as one argument.
            let window = try #require(File.read(folder + "/window")).split(separator: "\n").map(String.init)
            #expect(window.count == 3 && window.first == Products.baton && window[1] == "continue")
            #expect(window.last?.allSatisfy { $0.isLetter || $0.isNumber } == true)
        }
        let asked = try #require(File.read(folder + "/asked")).split(
            separator: "\0", omittingEmptySubsequences: false
        ).dropLast().map(String.init)
        #expect(
            asked.dropLast() == [
                "--app-name=Baton", "--expire-time=20000", "--action=continue=Continue", "--",
                "Continue here?",
            ])
        let shown = title.replacingOccurrences(of: "&", with: "&amp;")
            .replacingOccurrences(of: "<", with: "&lt;").replacingOccurrences(of: ">", with: "&gt;")
            .replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\n", with: "\\\\n")
        #expect(asked.last == "“\(shown)”, on “laptop”")
        #expect(watch.isRunning, "\(watch.errors)")
    }

    /// Waits until a watch knows what goes on.
    private func waitUntilReady(_ watch: ChildProcess) throws {
        try eventually("a watch that knows what goes on: \(watch.errors)") {
            watch.errors.contains("Ready to offer")
        }
    }

    @Test func `an old notify-send without actions shows the command to type`() throws {
        try program(
            "notify-send",
            "case \"$*\" in *--action*) echo 'Unknown option --action' >&2; exit 1;; esac\nfor word; do last=$word; done\nprintf '%s' \"$last\" >\(folder)/part; mv \(folder)/part \(folder)/asked"
        )
        try changeOver(title: "Draft")
        let watch = try desktop.begin(["baton", "watch", "--notify"])
        try waitUntilReady(watch)
        try desktop.must("start", "org.example.other", "--instance", "w")
        let text = try eventual("an offer: \(watch.errors)", attempt: { File.read(folder + "/asked") })
        let short = try #require(try desktop.list().first { $0["title"] == .string("Draft") }?["id"].string)
        #expect(text == "“Draft”, on “laptop”\nType: baton continue \(short.prefix(7))")
        #expect(!FileManager.default.fileExists(atPath: folder + "/handled"))
    }

    @Test func `an offer is not continued if its app has begun another activity, and the person is notified`()
        throws
    {
        let gate = folder + "/gate"
        #expect(mkfifo(gate, 0o600) == 0)
        try program(
            "notify-send",
            """
            for word; do last=$word; done
            printf '%s' "$last" >\(folder)/part
            if [ -e \(folder)/asked ]; then mv \(folder)/part \(folder)/told; exit; fi
            mv \(folder)/part \(folder)/asked
            read line <\(gate)
            echo continue
            """)
        try changeOver(title: "Draft")
        let watch = try desktop.begin(["baton", "watch", "--notify"])
        try waitUntilReady(watch)
        try desktop.must("start", "org.example.other", "--instance", "w")
        try eventually("an offer: \(watch.errors)") { File.read(folder + "/asked") == "“Draft”, on “laptop”" }
        try laptop.must("start", "org.example.secret", "--instance", "w", "--title", "Other")
        try desktop.waitForActivity(titled: "Other")
        try desktop.shell("echo >'\(gate)'").wait()
        let told = try eventual("a failure: \(watch.errors)", attempt: { File.read(folder + "/told") })
        #expect(told.contains("The app has begun another activity in place of this one."), "\(told)")
        #expect(!FileManager.default.fileExists(atPath: folder + "/window"))
        #expect(try laptop.waitForActivity(titled: "Other")["continued"] == .null)
    }

    // MARK: A real notification

    /// A service that shows no notifications, but notes them and chooses the action of each.
    private static let service = """
        import sys, json, dbus, dbus.service
        from dbus.mainloop.glib import DBusGMainLoop
        from gi.repository import GLib
        DBusGMainLoop(set_as_default=True)
        NAME = "org.freedesktop.Notifications"
        class Service(dbus.service.Object):
            @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u")
            def Notify(self, app, replaced, icon, summary, body, actions, hints, time):
                with open(sys.argv[1], "a") as file:
                    file.write(json.dumps({"app": str(app), "summary": str(summary), "body": str(body),
                        "actions": [str(action) for action in actions]}) + "\\n")
                GLib.timeout_add(100, self.choose)
                return 7
            def choose(self):
                self.ActionInvoked(7, "continue")
                self.NotificationClosed(7, 2)
            @dbus.service.method(NAME, out_signature="as")
            def GetCapabilities(self): return ["actions", "body", "body-markup"]
            @dbus.service.method(NAME, out_signature="ssss")
            def GetServerInformation(self): return ("test", "test", "1", "1.2")
            @dbus.service.signal(NAME, signature="us")
            def ActionInvoked(self, number, action): pass
            @dbus.service.signal(NAME, signature="uu")
            def NotificationClosed(self, number, reason): pass
        bus = dbus.SessionBus()
        name = dbus.service.BusName(NAME, bus)
        service = Service(bus, "/org/freedesktop/Notifications")
        print("ready", flush=True)
        GLib.MainLoop().run()
        """

    static let hasBus =
        Tool.isThere("notify-send") && Tool.isThere("dbus-run-session")
        && FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/dbus")
        && FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/gi")

    @Test(.enabled(if: hasBus, Desktop.advice))
    func `a notification service of the desktop gets the offer, and its action continues`() throws {
        try File.write(Self.service, to: folder + "/service.py")
        let title = "-c <b>$(reboot)</b> & a\\x41"
        try changeOver(title: title)
        let session = try desktop.begin(
            [
                "dbus-run-session", "--", "sh", "-c",
                "/usr/bin/python3 '\(folder)/service.py' '\(folder)/shown' >'\(folder)/ready' & echo $$ >'\(folder)/watch'; exec baton watch --notify",
            ])
        // The session ends with its command, and ends the bus, and the service with it; it must not be killed before.
        defer {
            if let number = File.read(folder + "/watch").flatMap({ pid_t($0.dropLast()) }) {
                kill(number, SIGTERM)
            }
            #expect(throws: Never.self) { try session.wait() }
        }
        try eventually("a service: \(session.errors)") { File.read(folder + "/ready") == "ready\n" }
        try waitUntilReady(session)
        try desktop.must("start", "org.example.other", "--instance", "w")
        let handled = try eventual(
            "a handler: \(session.errors)", attempt: { File.read(folder + "/handled") })
        #expect(handled == "2\n--\n\(title)\n")
        let shown = try JSONValue(try #require(File.read(folder + "/shown")))
        #expect(shown["app"] == .string("Baton") && shown["summary"] == .string("Continue here?"))
        #expect(
            shown["body"]
                == .string("“-c &lt;b&gt;$(reboot)&lt;/b&gt; &amp; a\\x41”, on “laptop”"))
        #expect(shown["actions"] == .list([.string("continue"), .string("Continue")]))
        let continued = try laptop.waitForActivity(titled: title)["continued"]
        #expect(continued["device"]["name"] == .string("desktop"))
    }
}
