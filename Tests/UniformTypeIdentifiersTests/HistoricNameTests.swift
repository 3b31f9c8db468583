import MobileCoreServices
import Testing

/// Code that uses deprecated names; the compiler warns where it is called directly.
private protocol HistoricCode {
    func identifiers() -> [String]
    func checkFunctions()
}

@Suite struct `The older constants for types` {
    private let code: any HistoricCode = Code()

    @Test func `are strings with the identifiers of the present constants`() {
        #expect(
            code.identifiers() == [
                "public.text", "public.image", "com.adobe.pdf", "public.data", "public.item", "public.mpeg-4",
                "public.3d-content",
            ])
        #expect(code.identifiers().allSatisfy { UTType($0) != nil })
    }

    @Test func `that are functions give the same results as the present methods`() { code.checkFunctions() }
}

private struct Code: HistoricCode {
    @available(*, deprecated) func identifiers() -> [String] {
        [kUTTypeText, kUTTypeImage, kUTTypePDF, kUTTypeData, kUTTypeItem, kUTTypeMPEG4, kUTType3DContent].map
        { $0 as String }
    }

    @available(*, deprecated) private func identifier(_ tag: String, _ parent: CFString? = nil)
        -> String?
    {
        UTTypeCreatePreferredIdentifierForTag(kUTTagClassFilenameExtension, tag as CFString, parent)?
            .takeRetainedValue()
            as String?
    }

    @available(*, deprecated) private func tag(_ identifier: String, _ tagClass: CFString) -> String? {
        UTTypeCopyPreferredTagWithClass(identifier as CFString, tagClass)?.takeRetainedValue() as String?
    }

    @available(*, deprecated) func checkFunctions() {
        #expect(identifier("png") == "public.png")
        #expect(identifier("app") == "com.apple.application-bundle")
        #expect(identifier("png", kUTTypeAudio).flatMap { UTType($0)?.isDynamic } == true)
        #expect(identifier("png", "org.example.nobody-declares-this" as CFString) == nil)
        #expect(identifier("") == nil)
        #expect(tag("public.png", kUTTagClassMIMEType) == "image/png")
        #expect(tag("public.png", kUTTagClassFilenameExtension) == "png")
        #expect(tag("public.image", kUTTagClassMIMEType) == nil)
        #expect(tag("public.png", kUTTagClassOSType) == nil)
        #expect(UTTypeConformsTo(kUTTypePNG, kUTTypeImage) && !UTTypeConformsTo(kUTTypeImage, kUTTypePNG))
        #expect(UTTypeConformsTo("org.example.x" as CFString, "org.example.x" as CFString))
        #expect(UTTypeEqual(kUTTypePNG, "PUBLIC.png" as CFString) && !UTTypeEqual(kUTTypePNG, kUTTypeJPEG))
        #expect(UTTypeIsDeclared(kUTTypePNG) && !UTTypeIsDynamic(kUTTypePNG))
        #expect(!UTTypeIsDeclared("org.example.x" as CFString))
        #expect(UTTypeCopyDescription(kUTTypePNG)?.takeRetainedValue() as String? == "PNG image")
        let tags = UTTypeCopyAllTagsWithClass(kUTTypeJPEG, kUTTagClassFilenameExtension)?.takeRetainedValue()
        #expect((tags as? [String])?.prefix(2) == ["jpeg", "jpg"])
        let declaration = UTTypeCopyDeclaration(kUTTypePNG)?.takeRetainedValue() as? [CFString: Any]
        #expect(declaration?[kUTTypeIdentifierKey] as? String == "public.png")
        let specification = declaration?[kUTTypeTagSpecificationKey] as? [CFString: Any]
        #expect(specification?[kUTTagClassFilenameExtension] as? [String] == ["png"])
        #expect((declaration?[kUTTypeConformsToKey] as? [String])?.contains("public.image") == true)
        #expect(UTTypeCopyDeclaration("org.example.x" as CFString) == nil)
        #expect(UTTypeCopyDeclaringBundleURL(kUTTypePNG) == nil)
        let all = UTTypeCreateAllIdentifiersForTag(kUTTagClassMIMEType, "image/png" as CFString, nil)?
            .takeRetainedValue()
        #expect(all as? [String] == ["public.png"])
    }
}
