import Foundation
import Testing
import UniformTypeIdentifiers

@Suite struct `A declared type` {
    /// Types with all types that they conform to.
    static let trees: [(UTType, [String])] = [
        (.png, ["public.image", "public.data", "public.content", "public.item"]),
        (.pdf, ["public.data", "public.composite-content", "public.content", "public.item"]),
        (
            .swiftSource,
            [
                "public.source-code", "public.plain-text", "public.text", "public.data", "public.content",
                "public.item",
            ]
        ),
        (.folder, ["public.directory", "public.item"]),
        (.heic, ["public.heif-standard", "public.image", "public.data", "public.content", "public.item"]),
        (
            .mpeg4Audio,
            [
                "public.mpeg-4", "public.audio", "public.movie", "public.audiovisual-content", "public.data",
                "public.content", "public.item",
            ]
        ),
        (
            .applicationBundle,
            [
                "com.apple.application", "com.apple.bundle", "com.apple.package", "public.directory",
                "public.executable", "public.item",
            ]
        ),
        (.zip, ["com.pkware.zip-archive", "public.archive", "public.data", "public.item"]),
        (.vCard, ["public.text", "public.contact", "public.data", "public.content", "public.item"]),
        (.item, []), (.content, []), (.message, []),
    ]

    @Test(arguments: trees.indices) func `conforms to all its supertypes`(index: Int) {
        let (type, tree) = Self.trees[index]
        #expect(Set(type.supertypes.map(\.identifier)) == Set(tree))
        for identifier in tree {
            #expect(UTType(identifier).map { type.conforms(to: $0) } == true, "\(identifier)")
        }
    }

    @Test func `conforms to itself, and is neither its own subtype nor supertype`() {
        #expect(UTType.png.conforms(to: .png))
        #expect(!UTType.png.isSubtype(of: .png) && !UTType.png.isSupertype(of: .png))
        #expect(UTType.png.isSubtype(of: .image) && UTType.image.isSupertype(of: .png))
        #expect(!UTType.image.conforms(to: .png) && !UTType.image.isSubtype(of: .png))
    }

    /// Types with their preferred extensions and MIME types.
    static let tags: [(UTType, String?, String?)] = [
        (.jpeg, "jpeg", "image/jpeg"), (.png, "png", "image/png"), (.plainText, "txt", "text/plain"),
        (.pdf, "pdf", "application/pdf"), (.json, "json", "application/json"), (.html, "html", "text/html"),
        (.mp3, "mp3", "audio/mpeg"), (.quickTimeMovie, "mov", "video/quicktime"),
        (.mpeg4Movie, "mp4", "video/mp4"),
        (.zip, "zip", "application/zip"), (.svg, "svg", "image/svg+xml"),
        (.commaSeparatedText, "csv", "text/csv"),
        (.swiftSource, "swift", "text/x-swift"), (.applicationBundle, "app", nil), (.image, nil, nil),
        (.item, nil, nil),
    ]

    @Test(arguments: tags.indices) func `has a preferred extension and MIME type`(index: Int) {
        let (type, fileExtension, mimeType) = Self.tags[index]
        #expect(type.preferredFilenameExtension == fileExtension)
        #expect(type.preferredMIMEType == mimeType)
        #expect(type.tags[.filenameExtension]?.first == fileExtension)
        #expect(type.tags[.mimeType]?.first == mimeType)
        if let fileExtension {
            #expect(UTType(tag: fileExtension, tagClass: .filenameExtension, conformingTo: nil) == type)
        }
        if let mimeType { #expect(UTType(tag: mimeType, tagClass: .mimeType, conformingTo: nil) == type) }
    }

    @Test func `is found by its identifier in any case`() {
        #expect(UTType("public.text") == .text)
        #expect(UTType("PUBLIC.Text")?.identifier == "public.text")
        #expect(UTType("public.windows-executable") == .exe)
        #expect(UTType("org.example.nobody-declares-this") == nil)
        #expect(UTType("") == nil)
    }

    @Test func `is found by its tags in any case`() {
        #expect(UTType(filenameExtension: "JPG") == .jpeg)
        #expect(UTType(mimeType: "Image/PNG") == .png)
        #expect(UTType(mimeType: "text/html; charset=utf-8") == .html)
        #expect(UTType(mimeType: "text/plain;charset=utf-8") == .utf8PlainText)
        #expect(UTType(filenameExtension: "app", conformingTo: .directory) == .applicationBundle)
        #expect(
            UTType.types(tag: "ts", tagClass: .filenameExtension, conformingTo: .movie) == [
                .mpeg2TransportStream
            ])
    }

    @Test func `has the properties of a declared type`() {
        #expect(UTType.png.isDeclared && !UTType.png.isDynamic && UTType.png.isPublic)
        #expect(UTType.pdf.isDeclared && !UTType.pdf.isPublic)
        #expect(UTType.png.version == nil && UTType.png.referenceURL == nil)
    }

    @Test func `is described by its own description or a supertype's`() {
        #expect(UTType.png.localizedDescription == "PNG image")
        let type = UTType(exportedAs: "org.example.described", conformingTo: .json)
        #expect(type.localizedDescription == "JSON text")
        #expect(UTType.png.description == "public.png")
        #expect("\(UTType.png)" == "public.png")
        #expect(UTType.png.debugDescription == "<UTType: public.png, declared>")
    }

    @Test func `is encoded as its identifier`() throws {
        let data = try JSONEncoder().encode([UTType.png, .pdf])
        #expect(String(decoding: data, as: UTF8.self) == #"["public.png","com.adobe.pdf"]"#)
        #expect(try JSONDecoder().decode([UTType].self, from: data) == [.png, .pdf])
        let other = try JSONDecoder().decode([UTType].self, from: Data(#"["org.example.elsewhere"]"#.utf8))
        #expect(other.map(\.identifier) == ["org.example.elsewhere"])
        #expect(other.allSatisfy { !$0.isDeclared && $0.supertypes.isEmpty })
    }

    @Test func `that an app declares is declared by code, and further supertypes can be added`() {
        #expect(UTType("org.example.note") == nil)
        let note = UTType(exportedAs: "org.example.note", conformingTo: .plainText)
        #expect(note.isDeclared && !note.isDynamic && !note.isPublic)
        #expect(note.conforms(to: .text) && note.conforms(to: .content))
        #expect(UTType("Org.Example.Note") == note)
        // Another part of the app names a further parent.
        let again = UTType(importedAs: "org.example.note", conformingTo: .json)
        #expect(again == note && note.conforms(to: .json) && note.conforms(to: .plainText))
        let bare = UTType(importedAs: "org.example.bare")
        #expect(bare.supertypes.isEmpty && bare.conforms(to: bare) && bare.preferredMIMEType == nil)
    }

    @Test func `that the system declares can't be changed by an app`() {
        let type = UTType(exportedAs: "public.png", conformingTo: .text)
        #expect(type == .png && !UTType.png.conforms(to: .text))
    }

    @Test func `in a circle of supertypes is not searched endlessly`() {
        let (first, second) = ("org.example.first", "org.example.second")
        let type = UTType(exportedAs: first, conformingTo: UTType(exportedAs: second))
        let other = UTType(exportedAs: second, conformingTo: type)
        #expect(type.supertypes == [other] && other.supertypes == [type])
        #expect(type.conforms(to: other) && other.conforms(to: type))
        #expect(type.localizedDescription == nil)
    }

    @Test func `has the same properties as its UTTypeReference`() throws {
        let object = UTType.png as UTTypeReference
        #expect(object.identifier == "public.png" && object.preferredFilenameExtension == "png")
        #expect(object == UTTypeReference("public.png") && (object as UTType) == .png)
        #expect(UTTypeReference("org.example.nobody-declares-this") == nil)
        #expect(object.preferredMIMEType == "image/png" && object.localizedDescription == "PNG image")
        #expect(object.isDeclared && object.isPublic && !object.isDynamic)
        #expect(
            object.tags["public.mime-type"] == ["image/png"] && object.supertypes == UTType.png.supertypes)
        #expect(object.conforms(to: .png) && object.isSubtype(of: .image) && !object.isSupertype(of: .image))
        #expect(
            UTTypeReference(filenameExtension: "png") == object
                && UTTypeReference(mimeType: "image/png") == object)
        #expect(
            UTTypeReference(tag: "png", tagClass: "public.filename-extension", conformingTo: nil) == object)
        #expect(UTTypeReference(tag: "", tagClass: "public.mime-type", conformingTo: nil) == nil)
        #expect(
            UTTypeReference.types(tag: "png", tagClass: "public.filename-extension", conformingTo: .image)
                == [.png])
        #expect(UTTypeReference(exportedAs: "org.example.object", conformingTo: .text).conforms(to: .text))
        #expect(UTTypeReference(importedAs: "org.example.object").conforms(to: .text))
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: UTTypeReference.self, from: data) == object)
    }

    @Test func `can be used by several threads while others declare types`() async {
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<8 {
                group.addTask {
                    (0..<200).allSatisfy { number in
                        let type = UTType(
                            exportedAs: "org.example.thread-\(task)-\(number)", conformingTo: .png)
                        return type.conforms(to: .image) && UTType(filenameExtension: "png") == .png
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
