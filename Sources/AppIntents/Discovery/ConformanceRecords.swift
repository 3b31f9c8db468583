/// The conformances that the compiler has written into the images of this process.
///
/// A module has a record for each conformance of its types, in the section `swift5_protocol_conformances`. The runtime
/// knows the section of each image: the object `swiftrt.o`, which is linked into every image with code in Swift, passes
/// the ends of the section to the runtime when the image is loaded. So the records of static and of shared libraries
/// are found alike, and nothing has to be registered.
///
/// The optimizer drops an internal type of an app that nothing refers to, with its records, unless a protocol that the
/// type names has the attribute `@_alwaysEmitConformanceMetadata`. So the protocols that are looked for have it, and all
/// that inherit from them.
///
/// The records survive `--gc-sections`: the compiler lists them in `llvm.used`, which marks the section as retained,
/// and `swiftrt.o` refers to `__start_swift5_protocol_conformances` and `__stop_…`, which keeps all sections of the
/// name (the driver passes `-z nostart-stop-gc` to lld, which would otherwise drop them). A record refers to its type,
/// so the type stays, too. A linker takes an object out of an archive only if something refers to it, though: intents
/// that lie alone in a file of a `.a` are lost unless the archive is linked with `--whole-archive`. SwiftPM links the
/// objects of static targets and products themselves, so its programs lose none.
///
/// The layout is that of the Swift ABI (`swift/ABI/MetadataValues.h`, `Metadata.h`), which Linux has kept since Swift
/// 5.
enum ConformanceRecords {
    /// Returns the types that conform to a protocol by a declaration of their own, each once, in the order of images
    /// and records.
    ///
    /// Generic types are left out, as nobody knows their arguments, and so are types in generic types. Types conform
    /// conditionally only if they are generic.
    static func types(conformingTo descriptor: UnsafeRawPointer) -> [Any.Type] {
        var types: [Any.Type] = []
        var known: Set<ObjectIdentifier> = []
        for section in ImageSections.conformances() {
            for place in stride(from: 0, to: section.count - 3, by: 4) {
                guard let base = section.baseAddress,
                    let record = relative(base + place).map({ ConformanceRecord(address: $0) }),
                    record.protocolDescriptor == descriptor, let type = record.type,
                    known.insert(ObjectIdentifier(type)).inserted
                else { continue }
                types.append(type)
            }
        }
        return types
    }

    /// Returns the descriptor of a protocol, which is given as `(any Protocol).self`; nil for another type.
    ///
    /// The metadata of an existential type has its kind, flags, the number of protocols, and their descriptors.
    static func descriptor(of existential: Any.Type) -> UnsafeRawPointer? {
        let metadata = unsafeBitCast(existential, to: UnsafeRawPointer.self)
        guard metadata.load(as: UInt.self) == existentialKind else { return nil }
        let count = metadata.load(fromByteOffset: 12, as: UInt32.self)
        guard count == 1 else { return nil }
        // The lowest bit marks a protocol of Objective-C, of which Linux has none.
        return metadata.load(fromByteOffset: 16, as: UnsafeRawPointer?.self)
    }

    /// The kind of the metadata of existential types.
    private static let existentialKind: UInt = 0x303

    /// Returns the address that a pointer refers to, which is stored as a distance from itself; nil for no address.
    static func relative(_ pointer: UnsafeRawPointer) -> UnsafeRawPointer? {
        let distance = pointer.loadUnaligned(as: Int32.self)
        return distance == 0 ? nil : pointer + Int(distance)
    }

    /// The same for a pointer that may refer to a pointer to the address, which its lowest bit says.
    static func relativeIndirectable(_ pointer: UnsafeRawPointer) -> UnsafeRawPointer? {
        let distance = pointer.loadUnaligned(as: Int32.self)
        guard distance != 0 else { return nil }
        let target = pointer + Int(distance & ~1)
        return distance & 1 == 0 ? target : target.load(as: UnsafeRawPointer?.self)
    }
}
