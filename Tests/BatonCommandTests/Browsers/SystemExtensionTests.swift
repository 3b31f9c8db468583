import BatonClient
import BatonCore
import ClientSupport
import Foundation
import Support
import Testing

@testable import BatonCommand

@Suite struct `The extension for all users` {
    private let folder: TemporaryFolder
    private var system: String { folder.path + "/system" }
    private let host: BrowserHost

    private static let extensions = "{ec8030f7-c20a-464f-9b0e-13a3a9e97384}"

    init() throws {
        folder = try TemporaryFolder()
        let home = folder.path + "/home"
        host = BrowserHost(
            try Home(option: home + "/data", environment: { _ in nil }),
            environment: { $0 == "HOME" ? home : nil })
    }

    /// Puts the extension below the folder, as a package does.
    private func place() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().path
        let process = try ChildProcess(
            [root + "/Scripts/place-extension", system], environment: ["PATH": "/usr/bin:/bin"],
            files: folder.path + "/placing")
        try #require(try process.wait() == 0, "\(process.errors)")
    }

    private func manifest(_ path: String) throws -> JSON {
        try JSON(reading: Array(try #require(File.read(system + path)).utf8))
    }

    @Test func `a package's manifests let only the extension start a program that the package has`() throws {
        try place()
        let chromium = try manifest("/etc/chromium/native-messaging-hosts/org.baton.browser.json")
        let firefox = try manifest("/usr/lib/mozilla/native-messaging-hosts/org.baton.browser.json")
        for one in [chromium, firefox] {
            #expect(one["name"] == .string("org.baton.browser") && one["type"] == .string("stdio"))
            let program = try #require(one["path"]?.string)
            let text = try #require(File.read(system + program))
            #expect(text.hasSuffix("\nexec /usr/bin/baton browser host -- \"$@\"\n"), "\(text)")
        }
        #expect(
            chromium["allowed_origins"]
                == .array([.string("chrome-extension://\(Browser.chromiumExtension)/")]))
        #expect(firefox["allowed_extensions"] == .array([.string(Browser.firefoxExtension)]))
        #expect(chromium["allowed_extensions"] == nil && firefox["allowed_origins"] == nil)
    }

    @Test func `a package is found for both browsers, with every file of the extension`() throws {
        #expect(SystemExtension(below: system).browsers.isEmpty)
        try place()
        try place()
        let found = SystemExtension(below: system)
        #expect(found.browsers == [.chromium, .firefox] && found.missing.isEmpty)
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().path
        // The icons are drawn from a picture, which the extension itself does not use.
        let files = try FileManager.default.subpathsOfDirectory(atPath: root + "/Browser").sorted()
            .filter { $0 != "icons/baton.svg" }
        for path in [
            "/usr/share/chromium/extensions/baton",
            "/usr/share/mozilla/extensions/\(Self.extensions)/browser@org.baton",
        ] {
            let placed = try FileManager.default.subpathsOfDirectory(
                atPath: URL(fileURLWithPath: system + path).resolvingSymlinksInPath().path)
            #expect(placed.sorted() == files, "\(path)")
        }
    }

    @Test func `nobody is told to load an extension that is installed for all users`() throws {
        let before = SystemExtension(below: system).advice(for: [.chromium, .firefox], folder: "/x")
        #expect(before.first == "Now load the extension from /x:" && before.count == 3, "\(before)")
        try place()
        let found = SystemExtension(below: system)
        let both = found.advice(for: [.chromium, .firefox], folder: "/x")
        #expect(
            both == [
                "The extension is installed for all users: Chromium and Firefox of this system load it when started.",
                "A Firefox that has run before loads it when it is started for the second time.",
            ])
        let more = found.advice(for: [.chromium, .brave], folder: "/x")
        #expect(more.count == 3 && more[1] == "Load it into other browsers from /x:", "\(more)")
        #expect(more[2].contains("Load unpacked") && !more.contains { $0.contains("Firefox") }, "\(more)")
        #expect(found.advice(for: [.librewolf], folder: nil).first?.contains("make install") == true)
        #expect(found.removalAdvice.contains("turn it off in Chromium and Firefox"))
        #expect(SystemExtension.names([.brave, .chromium, .firefox]) == "Brave, Chromium and Firefox")
    }

    @Test func `a checkup reports the extension for all users, and a file of it that is gone`() throws {
        #expect(BrowserState(SystemExtension(below: system), host) == nil)
        try place()
        let whole = try #require(BrowserState(SystemExtension(below: system), host))
        #expect(whole == .installed([.chromium, .firefox]))
        #expect(
            whole.finding(isInstalled: true).mark == .ok && whole.finding(isInstalled: true).advice == nil)
        let program = "/usr/libexec/baton/browser-host"
        try FileManager.default.removeItem(atPath: system + program)
        let broken = try #require(BrowserState(SystemExtension(below: system), host))
        #expect(broken == .incomplete(program) && broken.finding(isInstalled: true).mark == .warning)
        let manifest = "/etc/chromium/native-messaging-hosts/org.baton.browser.json"
        try File.write("{", to: system + manifest)
        #expect(SystemExtension(below: system).missing == [manifest, program])
    }

    @Test(arguments: ["baton", "it's", "a b", "a\nb", "\\", "日本", "'"])
    func `a checkup reports a host of the person whose program is gone`(name: String) throws {
        let program = folder.path + "/" + name
        try File.write("", to: program)
        try #require(chmod(program, 0o755) == 0)
        _ = try host.install([.firefox], command: [program, "browser", "host", "--"])
        let none = SystemExtension(below: system)
        let own = try #require(BrowserState(none, host))
        #expect(own == .own([.firefox]) && own.finding(isInstalled: false).mark == .note)
        try FileManager.default.removeItem(atPath: program)
        let gone = try #require(BrowserState(none, host))
        #expect(gone == .programMissing(program), "\(gone)")
        #expect(gone.finding(isInstalled: false).advice == "Type `baton browser install`.")
        // The person's manifest hides the one for all users.
        try place()
        #expect(BrowserState(SystemExtension(below: system), host) == gone)
        #expect(gone.finding(isInstalled: true).advice?.text.contains("uninstall") == true)
        _ = try host.uninstall()
        #expect(BrowserState(SystemExtension(below: system), host) == .installed([.chromium, .firefox]))
    }
}
