import BatonCommand
import BatonCore
import ClientSupport
import Support
import Testing

/// `baton settings app`, and the switches of apps as settings keep them.
@Suite struct `The switches of apps` {
    private static var settings: Settings {
        var settings = Settings()
        settings.set(AppSwitchName(.search, of: "org.example.a"), isOff: true)
        settings.set(AppSwitchName(.handoff, of: "org.example.a"), isOff: true)
        return settings
    }

    private static func node() throws -> FakeNode { try FakeNode { _ in .reply(settings) } }

    @Test func `baton settings app shows the switches of an app, and changes one`() throws {
        let node = try Self.node()
        let shown = Typed(node, "settings", "app", "org.example.a")
        #expect(
            shown.output == """
                search          off
                suggestions     on
                handoff         off

                """, "\(shown)")
        let json = Typed(node, "settings", "app", "org.example.b", "--json").output
        #expect(json == "{\"search\":true,\"suggestions\":true,\"handoff\":true}\n")
        #expect(node.calls.equals(GetSettings(), GetSettings()))
        #expect(Typed(node, "settings", "app", "org.example.a", "search", "off").status == 0)
        #expect(Typed(node, "settings", "app", "org.example.a", "handoff", "on").status == 0)
        #expect(
            node.calls.suffix(2).equals(
                ChangeSetting("search org.example.a", to: 0), ChangeSetting("handoff org.example.a", to: 1)))
    }

    @Test func `baton settings lists each app that has a switch turned off`() throws {
        let node = try Self.node()
        let lines = Typed(node, "settings").output.split(separator: "\n")
        #expect(lines.last == "app org.example.a: search, handoff off")
        let json = Typed(node, "settings", "--json").output
        #expect(
            json.hasSuffix(
                #""apps":{"org.example.a":{"search":false,"suggestions":true,"handoff":false}}}"# + "\n"))
    }

    @Test func `baton settings app refuses arguments that name no switch or no state`() throws {
        let node = try Self.node()
        for words in [
            ["app"], ["app", "a", "paint", "off"], ["app", "a", "search"], ["app", "a", "search", "maybe"],
            ["app", "", "search", "off"], ["finished-days", "3", "search"],
        ] {
            let typed = Typed(["settings"] + words + ["--home", node.folder.path])
            #expect(typed.status == 2 && !typed.errors.isEmpty, "\(words)")
        }
        #expect(node.calls.isEmpty)
    }

    @Test
    func `switches survive in copies of the settings, and two Unicode spellings of a name are two apps`()
        throws
    {
        let name = AppSwitchName(.search, of: "org.example.a b")
        #expect(AppSwitchName(name.text) == name)
        for text in ["search", "search ", "paint a", "private", " a", "search\u{301} a"] {
            #expect(AppSwitchName(text) == nil, "\(text)")
        }
        var settings = Self.settings
        #expect(SettingsCopy([SettingsCopy(number: 7, settings: settings).note])?.settings == settings)
        settings.set(AppSwitchName(.search, of: "\u{e9}"), isOff: true)
        #expect(settings.isOff(.search, for: "\u{e9}") && !settings.isOff(.search, for: "e\u{301}"))
        #expect(settings.switchedApps.count == 2)
        #expect(settings.apps(off: .handoff) == ["org.example.a"])
        var many = Settings()
        for number in 0..<Settings.switchesMost {
            #expect(many.hasRoom)
            many.set(AppSwitchName(.search, of: "\(number)"), isOff: true)
        }
        #expect(!many.hasRoom)
    }
}
