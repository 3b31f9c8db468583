import Foundation
import Support
import Testing
import UniformTypeIdentifiers

@Suite struct `A dynamic type` {
    /// Extensions with identifiers as Apple's systems make them.
    @Test(arguments: [("xyz", "dyn.ah62d4rv4ge81u8p4"), ("ilj", "dyn.ah62d4rv4ge80w5dn")])
    func `has the same identifier as on Apple's systems`(tag: String, identifier: String) throws {
        let type = try #require(UTType(filenameExtension: tag))
        #expect(type.identifier == identifier)
        #expect(type.isDynamic && !type.isDeclared && !type.isPublic)
        let back = try #require(UTType(identifier))
        #expect(back == type && back.preferredFilenameExtension == tag)
        #expect(back.conforms(to: .data))
    }

    /// Tags with characters that have a meaning in identifiers, and other alphabets.
    @Test(arguments: [
        "a=b", "a,b", "a:b", #"a\b"#, "?", "größe", "日本", "tar.zst9", String(repeating: "x", count: 255),
    ])
    func `can be made again from its identifier`(tag: String) throws {
        for tagClass in [UTTagClass.filenameExtension, UTTagClass(rawValue: "org.example.class")] {
            for parent in [UTType.data, .image, .folder, UTType(exportedAs: "org.example.a=b,c"), nil] {
                let type = try #require(UTType(tag: tag, tagClass: tagClass, conformingTo: parent))
                #expect(type.isDynamic)
                let back = try #require(UTType(type.identifier))
                #expect(back == type)
                #expect(back.tags[tagClass] == [tag])
                if let parent { #expect(back.conforms(to: parent)) }
                #expect(UTType(type.identifier.uppercased()) == type)
            }
        }
    }

    @Test(arguments: [
        "dyn.a", "dyn.b", "dyn.ah", "dyn.a!", "dyn.aaaaaaaaaa", "dyn.ah62d4rv4",
        "dyn." + String(repeating: "a", count: 9999),
    ])
    func `is not made from a malformed identifier`(identifier: String) {
        #expect(UTType(identifier) == nil)
    }

    @Test(arguments: ["", ".txt", "a/b", "a\0b", String(repeating: "x", count: 256)])
    func `is not made from an invalid extension`(tag: String) {
        #expect(UTType(filenameExtension: tag) == nil)
        #expect(UTType.types(tag: tag, tagClass: .filenameExtension, conformingTo: nil).isEmpty)
    }

    @Test(arguments: ["", "text", "/", "text/", "/plain", "a b/c", "text/größe", "a/b/c"])
    func `is not made from an invalid MIME type`(tag: String) {
        #expect(UTType(mimeType: tag) == nil)
    }

    @Test func `is made for a tag whose declared type does not conform to the requested type`() throws {
        let type = try #require(UTType(filenameExtension: "png", conformingTo: .audio))
        #expect(type.isDynamic && type.conforms(to: .audio) && !type.conforms(to: .image))
        #expect(UTType(filenameExtension: "app")?.isDynamic == true)
    }

    @Test func `is equal for a tag in any case`() {
        #expect(UTType(filenameExtension: "XYZ") == UTType(filenameExtension: "xyz"))
        #expect(UTType(mimeType: "Application/X-Nobody") == UTType(mimeType: "application/x-nobody"))
    }

    // MARK: The machine's database

    /// A database of MIME types with a few entries.
    private static func database() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let mime = URL(fileURLWithPath: folder.path).appendingPathComponent("mime")
        try FileManager.default.createDirectory(at: mime, withIntermediateDirectories: true)
        let files = [
            "globs2": """
            # A comment.
            50:text/x-second:*.one
            60:text/x-first:*.one
            50:text/x-first:*.1st
            50:application/x-deep:*.deep
            50:text/x-pattern:*.[ab]
            50:text/x-name:Makefile
            nonsense
            x:text/x-weight:*.weight
            """,
            "aliases": "text/x-older text/x-first\nbroken\n",
            "subclasses": """
            application/x-deep application/x-middle
            application/x-middle application/json
            application/x-middle application/x-deep
            """,
        ]
        for (name, text) in files {
            try text.write(to: mime.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
        return folder
    }

    @Test func `gets its MIME types, extensions and supertypes from the system's database`() throws {
        let folder = try Self.database()
        let info = SharedMIMEInfo(folders: [URL(fileURLWithPath: folder.path)])
        #expect(info.types["one"] == ["text/x-first", "text/x-second"])
        #expect(info.extensions["text/x-first"] == ["one", "1st"])
        #expect(info.names["text/x-older"] == "text/x-first")
        #expect(info.types.keys.sorted() == ["1st", "deep", "one"])
        // A circle ends.
        #expect(
            info.ancestry(of: "application/x-deep") == [
                "application/x-deep", "application/x-middle", "application/json",
            ])
        #expect(info.ancestry(of: "text/x-older") == ["text/x-first"])
    }

    @Test func `has no further information without a database`() throws {
        let folder = try TemporaryFolder()
        let info = SharedMIMEInfo(folders: [
            URL(fileURLWithPath: folder.path), URL(fileURLWithPath: "/nowhere"),
        ])
        #expect(info.types.isEmpty && info.names.isEmpty && info.parents.isEmpty)
    }

    @Test func `uses an alias from the first database that defines it`() throws {
        let (first, second) = (try Self.database(), try Self.database())
        let aliases = URL(fileURLWithPath: first.path).appendingPathComponent("mime/aliases")
        try "text/x-older text/x-mine".write(to: aliases, atomically: true, encoding: .utf8)
        let info = SharedMIMEInfo(folders: [first.path, second.path].map { URL(fileURLWithPath: $0) })
        #expect(info.names["text/x-older"] == "text/x-mine")
    }

    @Test func `skips a database file that is too large or not a file`() throws {
        let folder = try Self.database()
        let mime = URL(fileURLWithPath: folder.path).appendingPathComponent("mime")
        try Data(count: (4 << 20) + 1).write(to: mime.appendingPathComponent("globs2"))
        try FileManager.default.removeItem(at: mime.appendingPathComponent("aliases"))
        try FileManager.default.createDirectory(
            at: mime.appendingPathComponent("aliases"), withIntermediateDirectories: true)
        let info = SharedMIMEInfo(folders: [URL(fileURLWithPath: folder.path)])
        #expect(info.types.isEmpty && info.names.isEmpty && !info.parents.isEmpty)
    }

    @Test func `finds databases in the folders of the XDG variables`() {
        let paths = { (environment: [String: String]) in SharedMIMEInfo.dataFolders(environment).map(\.path) }
        #expect(paths(["HOME": "/home/a"]) == ["/home/a/.local/share", "/usr/local/share", "/usr/share"])
        #expect(
            paths(["HOME": "/home/a", "XDG_DATA_HOME": "/x", "XDG_DATA_DIRS": "/y:/z:relative"]) == [
                "/x", "/y", "/z",
            ])
        #expect(paths(["XDG_DATA_HOME": "", "XDG_DATA_DIRS": ""]) == ["/usr/local/share", "/usr/share"])
    }
}
