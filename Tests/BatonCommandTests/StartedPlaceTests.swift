import BatonCore
import ClientSupport
import Foundation
import Support
import Testing

@testable import BatonCommand

@Suite struct `A place as an activity` {
    private let folder: TemporaryFolder
    private let paths: PortablePaths
    /// The working folder, below the home folder.
    private let work: String

    init() throws {
        folder = try TemporaryFolder()
        work = folder.path + "/home/work"
        try FileManager.default.createDirectory(atPath: work + "/sub", withIntermediateDirectories: true)
        for name in ["notes.md", "Makefile", "odd.md:7", "editing"] {
            try File.write("", to: work + "/" + name)
        }
        try FileManager.default.createSymbolicLink(
            atPath: work + "/link", withDestinationPath: folder.path)
        paths = PortablePaths(in: work, home: folder.path + "/home/")
    }

    /// The payload of a place, as text.
    private func info(_ text: String) throws -> [String: String]? {
        try StartedPlace(text, in: paths).map { place in
            var info: [String: String] = ["type": place.type.rawValue, "title": place.title]
            for (key, value) in place.info {
                info[key.string ?? ""] = value.string ?? String(describing: value)
            }
            info["page"] = place.webpage
            return info
        }
    }

    @Test func `a folder or file becomes an absolute path, or a path from ~`() throws {
        for text in [".", "./", "../work", "~/work", work] {
            let expected = ["type": "org.baton.folder", "title": "work", "folder": "~/work"]
            #expect(try info(text) == expected, "\(text)")
        }
        #expect(try info("..") == ["type": "org.baton.folder", "title": "~", "folder": "~"])
        #expect(try info("sub/")?["folder"] == "~/work/sub")
        #expect(try info("/etc")?["folder"] == "/etc")
        // Only the system knows where a link leads.
        #expect(try info("link/..")?["folder"] == (folder.path as NSString).deletingLastPathComponent)
    }

    @Test
    func
        `all lines of a file share one identifier, and each title that the person gives gets its own identifier`()
        throws
    {
        let identifier = { (text: String, title: String?) in
            try StartedPlace(text, in: paths)?.identifier(titled: title)
        }
        for text in ["notes.md", "notes.md:42", "./notes.md:7:3"] {
            #expect(try identifier(text, nil) == "~/work/notes.md")
        }
        #expect(try identifier(".", nil) == "~/work")
        #expect(try identifier("odd.md:7", nil) == "~/work/odd.md:7", "this is its name")
        #expect(try identifier("notes.md:42", "Chapter 1") != identifier("notes.md:42", "Chapter 2"))
        #expect(try identifier("notes.md:1", "Chapter 1") == identifier("notes.md:2", "Chapter 1"))
        #expect(try identifier("https://example.org/", nil) == nil)
        #expect(try identifier("notes.md", String(repeating: "x", count: 2000)) == nil, "too long for a name")
    }

    @Test func `a path can end with a line and a column`() throws {
        let file = ["type": "org.baton.file", "title": "notes.md", "file": "~/work/notes.md"]
        #expect(try info("notes.md") == file)
        let place = try #require(try StartedPlace("notes.md:42:7", in: paths))
        #expect(place.info[.string("line")] == .integer(42) && place.info[.string("column")] == .integer(7))
        #expect(place.info[.string("file")] == .string("~/work/notes.md"))
        #expect(try StartedPlace("Makefile:3", in: paths)?.info[.string("line")] == .integer(3))
        #expect(
            try StartedPlace("odd.md:7", in: paths)?.info == [.string("file"): .string("~/work/odd.md:7")])
        #expect(failure { () throws(LocalFailure) in try StartedPlace("sub/:3", in: paths) }?.code == .usage)
        let gone = failure { () throws(LocalFailure) in try StartedPlace("./no.md:3", in: paths) }
        #expect(gone?.code == .notFound && gone?.text.contains("no file or folder ./no.md") == true)
    }

    @Test func `a web address is recognised by its scheme`() throws {
        #expect(
            try info("https://example.org/") == [
                "type": "org.baton.web", "title": "example.org", "page": "https://example.org/",
            ])
        #expect(try info("mailto:a@b")?["url"] == "mailto:a@b")
        #expect(try info("gemini://a/b")?["title"] == "a/b")
        #expect(
            failure { () throws(LocalFailure) in try StartedPlace("http://a\u{202e}b", in: paths) }?.code
                == .usage)
    }

    @Test(arguments: ["editing", "org.example.editing", "sub", "Makefile", "no.md:3", "x:y", "a:1", ""])
    func `a type is not read as a path`(text: String) throws {
        #expect(try StartedPlace(text, in: paths) == nil)
    }

    @Test func `only values that are paths are rewritten for other machines`() throws {
        let folder = WellKnownType.folder.rawValue
        #expect(try paths.portable(".", for: "folder", of: folder) == "~/work")
        #expect(try paths.portable("sub", for: "folder", of: folder) == "~/work/sub")
        #expect(try paths.portable(work + "/x", for: "file", of: "org.baton.file") == "~/work/x")
        #expect(try paths.portable("./x", for: "file", of: "org.example.editing") == "~/work/x")
        for (text, key, type) in [("x.md", "file", "a.b"), (".", "note", folder), ("../x", "file2", "a.b")] {
            #expect(try paths.portable(text, for: key, of: type) == text)
        }
    }
}
