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
