import BatonClient
import BatonCommand
import BatonCore
import ClientSupport
import Foundation
import Support
import Testing

@Suite struct `The host that browsers start` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func host(home: String = "home", configuration: String? = nil) throws -> BrowserHost {
        let environment = [
            "HOME": "\(folder.path)/\(home)", "XDG_CONFIG_HOME": configuration,
        ].compactMapValues { $0 }
        return BrowserHost(
            try Home(option: "\(folder.path)/\(home)/data", environment: { _ in nil }),
            environment: { environment[$0] })
    }

    /// All files and folders below the folder, relative to it.
    private var everything: [String] {
        (FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []).sorted()
    }

    @Test func `the manifests name the script, and allow only this extension`() throws {
        let host = try host()
        let outcome = try host.install([], command: ["/usr/bin/baton", "browser", "host", "--"])
        let chromium = folder.path + "/home/.config/chromium/NativeMessagingHosts/org.baton.browser.json"
        let firefox = folder.path + "/home/.mozilla/native-messaging-hosts/org.baton.browser.json"
        #expect(outcome.done == [host.script, chromium, firefox])
        let read = { (path: String) in try JSON(reading: Array(try #require(File.read(path)).utf8)) }
        for path in [chromium, firefox] {
            let manifest = try read(path)
            #expect(manifest["name"] == .string("org.baton.browser") && manifest["type"] == .string("stdio"))
            #expect(manifest["path"] == .string(host.script))
        }
        let origins = try #require(try read(chromium)["allowed_origins"]?.array)
        #expect(origins == [.string("chrome-extension://\(try Self.identifier())/")])
        #expect(try read(chromium)["allowed_extensions"] == nil)
        #expect(
            try read(firefox)["allowed_extensions"]
                == .array([try Self.manifest()["browser_specific_settings"]?["gecko"]?["id"] ?? .null]))
        #expect(try read(firefox)["allowed_origins"] == nil)
    }

    @Test func `an uninstalled host leaves no file behind, and installing and uninstalling can be repeated`()
        throws
    {
        try folder.makeFolder("home/.config/google-chrome")
        try File.write("", to: folder.path + "/home/.config/google-chrome/Local State")
        let before = everything
        let host = try host()
        let first = try host.install([], command: ["/usr/bin/baton"])
        #expect(first.done.count == 4 && first.done.contains { $0.contains("/google-chrome/") })
        let again = try host.install([], command: ["/usr/bin/baton"])
        #expect(again.done.isEmpty && again.current == first.done)
        let other = try host.install([], command: ["/opt/baton"])
        #expect(other.done == [host.script], "after an upgrade to another place")
        #expect(try Set(host.uninstall().done) == Set(first.done))
        #expect(everything == before)
        #expect(try host.uninstall().isEmpty)
    }

    @Test func `a manifest is installed only for the browsers that are named`() throws {
        let host = try host()
        let outcome = try host.install([.brave, .librewolf], command: ["/usr/bin/baton"])
        #expect(
            outcome.done.dropFirst().map { String($0.dropFirst(folder.path.count)) } == [
                "/home/.config/BraveSoftware/Brave-Browser/NativeMessagingHosts/org.baton.browser.json",
                "/home/.librewolf/native-messaging-hosts/org.baton.browser.json",
            ])
        #expect(try host.uninstall().done.count == 3)
    }

    @Test func `a manifest or a link that another program made is neither replaced nor removed`() throws {
        let host = try host()
        let path = folder.path + "/home/.config/chromium/NativeMessagingHosts/org.baton.browser.json"
        try folder.makeFolder("home/.config/chromium/NativeMessagingHosts")
        try File.write(#"{"name":"org.baton.browser","description":"mine"}"#, to: path)
        let outcome = try host.install([], command: ["/usr/bin/baton"])
        #expect(outcome.foreign == [path] && outcome.done.count == 2)
        let removed = try host.uninstall()
        #expect(removed.foreign == [path] && removed.done.count == 2)
        #expect(File.read(path) == #"{"name":"org.baton.browser","description":"mine"}"#)
        // A link could lead anywhere.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/target")
        #expect(try host.install([.chromium], command: ["/usr/bin/baton"]).foreign == [path])
        #expect(File.read(folder.path + "/target") == nil)
    }

    @Test(arguments: [
        "it's", "a b", "$(touch pwned)", "`touch pwned`", "\"; touch pwned; \"", "a\nb", "*", "\\", "日本",
        "-c", "'",
        "{}", "%s", "$HOME",
    ]) func `folder names can't inject code into the shell script`(name: String) throws {
        let host = try host(home: name)
        _ = try host.install([.firefox], command: ["/usr/bin/printf", "%s\\0", name, "--home", host.script])
        let manifest = try #require(
            File.read("\(folder.path)/\(name)/.mozilla/native-messaging-hosts/org.baton.browser.json"))
        let script = try #require(try JSON(reading: Array(manifest.utf8))["path"]?.string)
        try File.awaitRunnable(script)
        let process = try ChildProcess(
            [script, "/path of/manifest $(touch pwned)", "browser@org.baton"],
            environment: ["PATH": "/usr/bin:/bin"], files: folder.path + "/written")
        #expect(try process.wait() == 0, "\(process.errors)")
        let words = process.output.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(
            String.init)
        #expect(
            words == [name, "--home", host.script, "/path of/manifest $(touch pwned)", "browser@org.baton"])
        #expect(!everything.contains { $0.hasSuffix("pwned") && !$0.contains("touch") })
    }

    // MARK: The extension

    private static func manifest() throws -> JSON {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try #require(File.read(root.appendingPathComponent("Browser/manifest.json").path))
        return try JSON(reading: Array(text.utf8))
    }

    /// The identifier of the extension in Chromium: the beginning of the SHA-256 of its key, in the letters a to p.
    private static func identifier() throws -> String {
        let key = try #require(try manifest()["key"]?.string.flatMap { Data(base64Encoded: $0) })
        return String(
            SHA256.digest(key).prefix(16).flatMap { [$0 >> 4, $0 & 15] }
                .map { Character(Unicode.Scalar(UInt8(ascii: "a") + $0)) })
    }

    @Test func `only the extension of this package is served`() throws {
        let origin = "chrome-extension://\(try Self.identifier())/"
        #expect(Browser.isStarted(by: [origin]))
        #expect(Browser.isStarted(by: [origin, "--parent-window=0"]))
        #expect(
            Browser.isStarted(by: [
                "/home/me/.mozilla/native-messaging-hosts/org.baton.browser.json", "browser@org.baton",
            ]))
        for words in [
            [], [""], ["chrome-extension://abcdefghijklmnopabcdefghijklmnop/"], [String(origin.dropLast())],
            ["browser@org.baton"], ["x", "other@example.org"], [origin.uppercased()],
        ] {
            #expect(!Browser.isStarted(by: words), "\(words)")
        }
    }

    @Test func `the extension's manifest has only the needed permissions, and excludes private windows`()
        throws
    {
        let manifest = try Self.manifest()
        #expect(manifest["manifest_version"] == .integer(3))
        #expect(manifest["incognito"] == .string("not_allowed"))
        #expect(
            manifest["permissions"]
                == .array(["alarms", "nativeMessaging", "storage", "tabs"].map { .string($0) }))
        #expect(manifest["content_security_policy"] == nil && manifest["web_accessible_resources"] == nil)
        #expect(manifest["externally_connectable"] == nil && manifest["update_url"] == nil)
    }

    @Test func `the scripts of the extension turn no text into HTML or code`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Browser").path
        let scripts = try FileManager.default.contentsOfDirectory(atPath: root).filter { $0.hasSuffix(".js") }
        #expect(scripts.count >= 7)
        for name in scripts {
            let text = try #require(File.read(root + "/" + name))
            for word in [
                "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(",
            ] {
                #expect(!text.contains(word), "\(name) has \(word)")
            }
        }
    }
}
