public import Foundation

extension URL {
    /// Returns the address with a component added.
    ///
    /// If the component has no extension of the type, the type's preferred extension is added to it.
    public func appendingPathComponent(_ partialName: String, conformingTo contentType: UTType) -> URL {
        let name = partialName.withExtension(of: contentType)
        return appendingPathComponent(name, isDirectory: contentType.conforms(to: .directory))
    }

    /// Adds a component, and adds the type's preferred extension if the component has no extension of the type.
    public mutating func appendPathComponent(_ partialName: String, conformingTo contentType: UTType) {
        self = appendingPathComponent(partialName, conformingTo: contentType)
    }

    /// Returns the address with the type's preferred extension added.
    ///
    /// If the last component already has an extension of the type, the address is returned unchanged.
    public func appendingPathExtension(for contentType: UTType) -> URL {
        guard !lastPathComponent.isEmpty, lastPathComponent != "/",
            let missing = lastPathComponent.extensionMissing(of: contentType)
        else { return self }
        return appendingPathExtension(missing)
    }

    /// Adds the type's preferred extension, unless the last component already has an extension of the type.
    public mutating func appendPathExtension(for contentType: UTType) {
        self = appendingPathExtension(for: contentType)
    }
}

extension NSString {
    /// Returns the path with a component added.
    ///
    /// If the component has no extension of the type, the type's preferred extension is added to it.
    public func appendingPathComponent(_ partialName: String, conformingTo contentType: UTType) -> String {
        appendingPathComponent(partialName.withExtension(of: contentType))
    }

    /// Returns the path with the type's preferred extension added, unless it already has an extension of the type.
    public func appendingPathExtension(for contentType: UTType) -> String {
        (self as String).withExtension(of: contentType)
    }
}

extension String {
    /// Returns the name with the type's preferred extension added, unless it already has an extension of the type.
    fileprivate func withExtension(of type: UTType) -> String {
        extensionMissing(of: type).map { self + "." + $0 } ?? self
    }

    /// Returns the extension that must be added to the name: the preferred extension of the type.
    ///
    /// The result is nil if the type has no extension, or if the name already has an extension of the type.
    fileprivate func extensionMissing(of type: UTType) -> String? {
        let own = (self as NSString).pathExtension.lowercased()
        if type.tags[.filenameExtension]?.contains(own) ?? false { return nil }
        return type.preferredFilenameExtension
    }
}
