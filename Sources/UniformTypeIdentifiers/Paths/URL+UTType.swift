public import Foundation

extension URL {
    /// Returns the address with a component added; the component gets the type's extension, unless it already has an
    /// extension of the type.
    public func appendingPathComponent(_ partialName: String, conformingTo contentType: UTType) -> URL {
        let name = partialName.withExtension(of: contentType)
        return appendingPathComponent(name, isDirectory: contentType.conforms(to: .directory))
    }

    /// Adds a component; it gets the type's extension, unless it already has an extension of the type.
    public mutating func appendPathComponent(_ partialName: String, conformingTo contentType: UTType) {
        self = appendingPathComponent(partialName, conformingTo: contentType)
    }

    /// Returns the address with the type's extension added, unless its last component already has an extension of the
    /// type.
    public func appendingPathExtension(for contentType: UTType) -> URL {
        guard !lastPathComponent.isEmpty, lastPathComponent != "/",
            let missing = lastPathComponent.extensionMissing(of: contentType)
        else { return self }
        return appendingPathExtension(missing)
    }

    /// Adds the type's extension, unless the last component already has an extension of the type.
    public mutating func appendPathExtension(for contentType: UTType) {
        self = appendingPathExtension(for: contentType)
    }
}

extension NSString {
    /// Returns the path with a component added; the component gets the type's extension, unless it already has an
    /// extension of the type.
    public func appendingPathComponent(_ partialName: String, conformingTo contentType: UTType) -> String {
        appendingPathComponent(partialName.withExtension(of: contentType))
    }

    /// Returns the path with the type's extension added, unless it already has an extension of the type.
    public func appendingPathExtension(for contentType: UTType) -> String {
        (self as String).withExtension(of: contentType)
    }
}

extension String {
    /// Returns the name with the preferred extension of a type, unless it already has an extension of the type.
    fileprivate func withExtension(of type: UTType) -> String {
        extensionMissing(of: type).map { self + "." + $0 } ?? self
    }

    /// Returns the preferred extension of a type; nil if the type has none, or if the name already has an extension of
    /// the type.
    fileprivate func extensionMissing(of type: UTType) -> String? {
        let own = (self as NSString).pathExtension.lowercased()
        if type.tags[.filenameExtension]?.contains(own) ?? false { return nil }
        return type.preferredFilenameExtension
    }
}
