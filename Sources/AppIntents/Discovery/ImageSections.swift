/// Finds the sections that the runtime knows of the images of this process: the executable and the shared libraries.
final class ImageSections {
    private var found: [UnsafeRawBufferPointer] = []

    private init() {}

    /// Returns the sections with conformances, one for each image that has any.
    static func conformances() -> [UnsafeRawBufferPointer] {
        let sections = ImageSections()
        enumerateSections(takeSections, Unmanaged.passUnretained(sections).toOpaque())
        return sections.found
    }

    /// Takes the runtime's record of an image.
    fileprivate func take(_ record: UnsafeRawPointer) {
        // Other versions may have another layout; the runtime and this library are built by one compiler.
        guard Self.versions.contains(record.load(as: UInt.self)) else { return }
        let start = record.load(fromByteOffset: Self.startOffset, as: UInt.self)
        let length = record.load(fromByteOffset: Self.lengthOffset, as: UInt.self)
        guard let base = UnsafeRawPointer(bitPattern: start), length > 0 else { return }
        found.append(UnsafeRawBufferPointer(start: base, count: Int(length)))
    }

    /// The versions of the runtime's record with the layout below.
    private static let versions: ClosedRange<UInt> = 4...5
    /// The record has the version, the address of the image, two unused words, and then a start and a length for each
    /// section: that of protocols first, that of conformances next.
    private static let word = MemoryLayout<UInt>.size
    private static let startOffset = 6 * word
    private static let lengthOffset = 7 * word
}

/// Passes the runtime's record of an image on; returns true, so that the runtime goes on to the next one.
private func takeSections(_ record: UnsafeRawPointer?, _ context: UnsafeMutableRawPointer?) -> Bool {
    guard let record, let context else { return true }
    Unmanaged<ImageSections>.fromOpaque(context).takeUnretainedValue().take(record)
    return true
}

/// Calls a function for the sections of each image, until it returns false; the runtime exports it for ELF.
@_silgen_name("swift_enumerateAllMetadataSections")
private func enumerateSections(
    _ body: @convention(c) (UnsafeRawPointer?, UnsafeMutableRawPointer?) -> Bool,
    _ context: UnsafeMutableRawPointer?)
