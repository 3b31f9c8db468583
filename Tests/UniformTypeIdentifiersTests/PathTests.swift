import Foundation
import Support
import Testing
import UniformTypeIdentifiers

@Suite struct `Paths with types` {
    /// Names with a type, and the names with the type's extension.
    static let names: [(String, UTType, String)] = [
        ("photo", .jpeg, "photo.jpeg"), ("photo.jpg", .jpeg, "photo.jpg"), ("photo.JPG", .jpeg, "photo.JPG"),
        ("photo.png", .jpeg, "photo.png.jpeg"), ("notes.v2", .plainText, "notes.v2.txt"),
        ("thing", .image, "thing"),
        ("archive", .zip, "archive.zip"),
    ]

    @Test(arguments: names.indices) func `get the extension of their type if it is missing`(index: Int) {
        let (name, type, whole) = Self.names[index]
        let folder = URL(fileURLWithPath: "/tmp/folder", isDirectory: true)
        #expect(folder.appendingPathComponent(name, conformingTo: type).path == "/tmp/folder/\(whole)")
        #expect(
            folder.appendingPathComponent(name).appendingPathExtension(for: type).path
                == "/tmp/folder/\(whole)")
        #expect(
            ("/tmp/folder" as NSString).appendingPathComponent(name, conformingTo: type)
                == "/tmp/folder/\(whole)")
        #expect((name as NSString).appendingPathExtension(for: type) == whole)
        var url = folder
        url.appendPathComponent(name, conformingTo: type)
        #expect(url.path == "/tmp/folder/\(whole)")
        url = folder.appendingPathComponent(name)
        url.appendPathExtension(for: type)
        #expect(url.path == "/tmp/folder/\(whole)")
    }

    @Test func `that are web addresses keep their query and fragment`() throws {
        let page = try #require(URL(string: "https://example.org/photo?size=2#top"))
        #expect(
            page.appendingPathExtension(for: .png).absoluteString
                == "https://example.org/photo.png?size=2#top")
    }

    @Test func `that name files give the type of the file on disk`() throws {
        let folder = try TemporaryFolder()
        let root = URL(fileURLWithPath: folder.path)
        let files = FileManager.default
        for name in ["a.png", "plain", "tool", "odd.xyz"] {
            try Data().write(to: root.appendingPathComponent(name))
        }
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path + "/tool")
        for name in ["Folder", "Folder.xyz", "Tool.app"] {
            try files.createDirectory(
                at: root.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        try files.createSymbolicLink(atPath: folder.path + "/link.png", withDestinationPath: "a.png")
        let expected: [(String, UTType?)] = [
            ("a.png", .png), ("plain", .data), ("tool", .unixExecutable),
            ("odd.xyz", UTType(filenameExtension: "xyz")),
            ("Folder", .folder), ("Folder.xyz", .folder), ("Tool.app", .applicationBundle),
            ("link.png", .symbolicLink),
        ]
        for (name, type) in expected {
            let values = try root.appendingPathComponent(name).resourceValues(forKeys: [.contentTypeKey])
            #expect(values.contentType == type, "\(name)")
        }
        let values = try root.resourceValues(forKeys: [.isDirectoryKey])
        #expect(values.contentType == nil)
    }

    @Test func `that name directories end with a slash`() {
        let folder = URL(fileURLWithPath: "/tmp", isDirectory: true)
        #expect(
            folder.appendingPathComponent("Tool", conformingTo: .applicationBundle).absoluteString
                == "file:///tmp/Tool.app/")
        #expect(URL(fileURLWithPath: "/").appendingPathExtension(for: .png).path == "/")
    }
}
