import BatonClient
import BatonCore
import Dispatch
import Glibc
import Support
import Testing

private let manifest = {
    var manifest = IntentManifest(app: "org.example.coffee", title: "Coffee", program: ["/bin/coffee"])
    var intent = DeclaredIntent(name: "Order", title: "Order \u{1b}[2J")
    var cup = DeclaredParameter(name: "cup", title: "Cup", type: DeclaredValueType(.choice, named: "Cup"))
    cup.range = ("1", "5")
    intent.parameters = [cup]
    manifest.intents = [intent]
    var shop = DeclaredEntity(name: "Shop", title: "Shop")
    var name = DeclaredProperty(name: "name", title: "Name", type: DeclaredValueType(.text))
    name.attribute = "title"
    shop.properties = [name]
    manifest.entities = [shop]
    manifest.enumerations = [
        DeclaredEnumeration(name: "Cup", title: "Cup", cases: [DeclaredCase(name: "small", title: "Small")])
    ]
    var shortcut = DeclaredShortcut(intent: "Order", title: nil, phrases: ["Order in ${applicationName}"])
    shortcut.values = [("cup", "small")]
    manifest.shortcuts = [shortcut]
    manifest.negativePhrases = ["no"]
    manifest.programState = "1"
    return manifest
}()

@Suite struct `The file with an app's intents` {
    private let folder: TemporaryFolder
    private let home: Home

    init() throws {
        folder = try TemporaryFolder()
        home = try Home(option: folder.path, environment: { _ in nil })
    }

    @Test func `is read as it was written, by name and among all`() throws {
        #expect(try IntentManifestFile.read("org.example.coffee", in: home) == nil)
        #expect(try IntentManifestFile.write(manifest, in: home))
        #expect(try IntentManifestFile.read("org.example.coffee", in: home) == manifest)
        #expect(IntentManifestFile.readAll(in: home).manifests == [manifest])
    }

    @Test func `is not written again if nothing has changed`() throws {
        try IntentManifestFile.write(manifest, in: home)
        #expect(try !IntentManifestFile.write(manifest, in: home))
    }

    @Test func `has no characters that control a terminal`() {
        #expect(!manifest.json.text.contains("\u{1b}"))
    }

    @Test func `keeps the attributes of properties that a later start does not know`() throws {
        try IntentManifestFile.write(manifest, in: home)
        var later = manifest
        later.entities[0].properties = [
            DeclaredProperty(name: "name", title: "", type: DeclaredValueType(.text))
        ]
        later.entities[0].properties[0].isKnownByTypeOnly = true
        #expect(try !IntentManifestFile.write(later, in: home))
        #expect(
            try IntentManifestFile.read(manifest.app, in: home)?.entity(named: "Shop")?.property(
                named: "name")?.attribute == "title")
    }

    @Test func `keeps what each of several writers at once knows`() throws {
        let count = 16
        let names = (0..<count).map { "p\($0)" }
        DispatchQueue.concurrentPerform(iterations: count) { writer in
            var own = manifest
            own.entities[0].properties = names.map {
                DeclaredProperty(name: $0, title: "", type: DeclaredValueType(.text))
            }
            for other in 0..<count where other != writer {
                own.entities[0].properties[other].isKnownByTypeOnly = true
            }
            own.entities[0].properties[writer].attribute = "title"
            #expect(throws: Never.self) { try IntentManifestFile.write(own, in: home) }
        }
        let shop = try #require(try IntentManifestFile.read(manifest.app, in: home)?.entity(named: "Shop"))
        for name in names { #expect(shop.property(named: name)?.attribute == "title", "\(name)") }
    }

    @Test func `is reported if it is damaged, of another version, or open to others`() throws {
        try IntentManifestFile.write(manifest, in: home)
        let path = "\(home.intentManifests)/\(manifest.app).json"
        for text in ["{", "{\"version\":2}", "[]"] {
            try File.write(text, to: path)
            #expect(IntentManifestFile.readAll(in: home).troubles.first?.code == .usage)
        }
        chmod(path, 0o666)
        #expect(IntentManifestFile.readAll(in: home).troubles.first?.code == .notAllowed)
    }

    @Test func `is not used if it names no program by its whole path, or is of another app`() throws {
        try IntentManifestFile.write(manifest, in: home)
        let path = "\(home.intentManifests)/\(manifest.app).json"
        let text = try #require(File.read(path))
        for program in ["[]", "[\"coffee\"]", "[\"/bin/sh\",\"-c\"]", "[\"/bin/a\\u0000b\"]", "[\"\"]"] {
            try File.write(text.replacing("[\"/bin/coffee\"]", with: program), to: path)
            #expect(throws: LocalFailure.self, "\(program)") {
                try IntentManifestFile.read(manifest.app, in: home)
            }
        }
        try File.write(text, to: "\(home.intentManifests)/org.example.tea.json")
        try File.write(text, to: path)
        let all = IntentManifestFile.readAll(in: home)
        #expect(all.manifests == [manifest])
        #expect(all.troubles.count == 1)
        #expect(all.troubles.first?.text.contains("it is the manifest of org.example.coffee") == true)
    }

    @Test func `is reported if its folder can't be read`() throws {
        try File.write("", to: home.intentManifests)
        let all = IntentManifestFile.readAll(in: home)
        #expect(all.manifests.isEmpty)
        #expect(all.troubles.map(\.code) == [.failed])
    }

    @Test func `is not written if it would be too large to be read`() throws {
        try IntentManifestFile.write(manifest, in: home)
        var large = manifest
        large.negativePhrases = [String(repeating: "a", count: 4 << 20)]
        #expect { try IntentManifestFile.write(large, in: home) } throws: { error in
            (error as? LocalFailure)?.code == .tooLarge
        }
        #expect(try IntentManifestFile.read(manifest.app, in: home) == manifest)
    }

    @Test(.timeLimit(.minutes(1))) func `is read at once, however many values a shortcut has`() throws {
        var hostile = manifest
        hostile.shortcuts[0].values = (0..<200_000).map { ("\($0)", "") }
        try IntentManifestFile.write(hostile, in: home)
        #expect(
            try IntentManifestFile.read(manifest.app, in: home)?.shortcuts.first?.values.count == 200_000)
    }

    @Test(.enabled(if: geteuid() == 0))
    func `is not written by root into the folder of a person`() throws {
        #expect(chown(home.data, 65534, 65534) == 0)
        #expect { try IntentManifestFile.write(manifest, in: home) } throws: { error in
            (error as? LocalFailure)?.code == .notAllowed
        }
        #expect(access(home.intentManifests, F_OK) != 0)
    }

    @Test func `is removed with the app, once`() throws {
        try IntentManifestFile.write(manifest, in: home)
        #expect(try IntentManifestFile.remove(manifest.app, in: home))
        #expect(try !IntentManifestFile.remove(manifest.app, in: home))
    }

    @Test func `is refused for a name that no file can have`() throws {
        #expect(throws: LocalFailure.self) {
            try IntentManifestFile.write(IntentManifest(app: "../x", title: nil, program: []), in: home)
        }
    }
}
