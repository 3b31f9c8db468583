/// A record of a conformance: protocol, type, witness table and flags, of four bytes each.
struct ConformanceRecord {
    let address: UnsafeRawPointer

    /// The descriptor of the protocol.
    var protocolDescriptor: UnsafeRawPointer? { ConformanceRecords.relativeIndirectable(address) }

    /// The type; nil if it is generic, or no type of Swift.
    var type: Any.Type? {
        guard let descriptor = typeDescriptor else { return nil }
        let flags = descriptor.load(as: UInt32.self)
        // Structures, enumerations and classes have an accessor of their metadata.
        guard (Self.leastTypeKind...Self.greatestTypeKind).contains(flags & 0x1f), flags & 0x80 == 0,
            let accessor = ConformanceRecords.relative(descriptor + 12)
        else { return nil }
        // The accessor returns the metadata and its state in two registers, of which C looks at the first only. The
        // request 0 asks for complete metadata, and waits for it.
        typealias Accessor = @convention(c) (UInt) -> UnsafeRawPointer?
        guard let metadata = unsafeBitCast(accessor, to: Accessor.self)(0) else { return nil }
        return unsafeBitCast(metadata, to: Any.Type.self)
    }

    /// The kinds of classes and of enumerations in a descriptor; that of structures is between them.
    private static let (leastTypeKind, greatestTypeKind): (UInt32, UInt32) = (16, 18)

    /// The descriptor of the type; nil if the type is of another language.
    private var typeDescriptor: UnsafeRawPointer? {
        let kind = (address + 12).load(as: UInt32.self) >> 3 & 0x7
        guard let target = ConformanceRecords.relative(address + 4) else { return nil }
        return switch kind {
        case 0: target
        case 1: target.load(as: UnsafeRawPointer?.self)
        default: nil
        }
    }
}
