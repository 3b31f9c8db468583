public import Foundation
import UniformTypeIdentifiers

// The functions that `UTType` replaces. As on Apple's systems, the caller owns the result of a function with "Create"
// or "Copy" in its name, and takes the result with `takeRetainedValue()`.

/// The type of strings in this module; on Linux, it is the string class of Foundation.
public typealias CFString = NSString
/// The type of arrays in this module; on Linux, it is the array class of Foundation.
public typealias CFArray = NSArray

/// The type of dictionaries in this module; on Linux, it is the dictionary class of Foundation.
public typealias CFDictionary = NSDictionary
/// The type of addresses in this module; on Linux, it is the URL class of Foundation.
public typealias CFURL = NSURL

/// Returns the identifier of the type that fits a tag best; nil if the tag is not valid.
@available(*, deprecated, message: "Use UTType(tag:tagClass:conformingTo:).")
public func UTTypeCreatePreferredIdentifierForTag(
    _ inTagClass: CFString, _ inTag: CFString, _ inConformingToUTI: CFString?
) -> Unmanaged<CFString>? {
    types(inTagClass, inTag, inConformingToUTI).first.map { .passRetained($0.identifier as NSString) }
}

/// Returns the identifiers of all types with a tag, the best type first; nil if there are none.
@available(*, deprecated, message: "Use UTType.types(tag:tagClass:conformingTo:).")
public func UTTypeCreateAllIdentifiersForTag(
    _ inTagClass: CFString, _ inTag: CFString, _ inConformingToUTI: CFString?
) -> Unmanaged<CFArray>? {
    let types = types(inTagClass, inTag, inConformingToUTI)
    return types.isEmpty ? nil : .passRetained(types.map { $0.identifier as NSString } as NSArray)
}

/// Returns the preferred tag of a type in a tag class; nil if the type has no tag of that class.
@available(*, deprecated, message: "Use preferredFilenameExtension or preferredMIMEType of UTType.")
public func UTTypeCopyPreferredTagWithClass(_ inUTI: CFString, _ inTagClass: CFString) -> Unmanaged<CFString>?
{
    tags(inUTI, inTagClass).first.map { .passRetained($0 as NSString) }
}

/// Returns all tags of a type in a tag class, the preferred tag first; nil if the type has no tag of that class.
@available(*, deprecated, message: "Use tags of UTType.")
public func UTTypeCopyAllTagsWithClass(_ inUTI: CFString, _ inTagClass: CFString) -> Unmanaged<CFArray>? {
    let tags = tags(inUTI, inTagClass)
    return tags.isEmpty ? nil : .passRetained(tags.map { $0 as NSString } as NSArray)
}

/// Whether two identifiers name the same type.
@available(*, deprecated, message: "Compare values of UTType.")
public func UTTypeEqual(_ inUTI1: CFString, _ inUTI2: CFString) -> Bool {
    areEqual(inUTI1, inUTI2)
}

/// Whether a type conforms to another one.
@available(*, deprecated, message: "Use conforms(to:) of UTType.")
public func UTTypeConformsTo(_ inUTI: CFString, _ inConformsToUTI: CFString) -> Bool {
    if areEqual(inUTI, inConformsToUTI) { return true }
    guard let special = type(inUTI), let general = type(inConformsToUTI) else { return false }
    return special.conforms(to: general)
}

/// Returns a short description of a type; nil if there is none.
@available(*, deprecated, message: "Use localizedDescription of UTType.")
public func UTTypeCopyDescription(_ inUTI: CFString) -> Unmanaged<CFString>? {
    type(inUTI)?.localizedDescription.map { .passRetained($0 as NSString) }
}

/// Returns the declaration of a type, as a dictionary with the `kUTType…Key` keys; nil if the type is not declared.
@available(*, deprecated, message: "Use the properties of UTType.")
public func UTTypeCopyDeclaration(_ inUTI: CFString) -> Unmanaged<CFDictionary>? {
    guard let type = type(inUTI), type.isDeclared else { return nil }
    let tags = type.tags.map { tagClass, tags in
        (tagClass.rawValue as NSString, tags.map { $0 as NSString } as NSArray)
    }
    let supertypes = type.supertypes.map(\.identifier).sorted().map { $0 as NSString }
    var declaration: [NSString: Any] = [
        "UTTypeIdentifier": type.identifier as NSString, "UTTypeConformsTo": supertypes as NSArray,
        "UTTypeTagSpecification": Dictionary(uniqueKeysWithValues: tags) as NSDictionary,
    ]
    if let description = type.localizedDescription {
        declaration["UTTypeDescription"] = description as NSString
    }
    return .passRetained(declaration as NSDictionary)
}

/// Returns the bundle that declares a type; always nil, because on Linux no bundle declares types.
@available(*, deprecated, message: "There is no replacement.")
public func UTTypeCopyDeclaringBundleURL(_ inUTI: CFString) -> Unmanaged<CFURL>? { nil }

/// Whether the system or the app declares a type.
@available(*, deprecated, message: "Use isDeclared of UTType.")
public func UTTypeIsDeclared(_ inUTI: CFString) -> Bool { type(inUTI)?.isDeclared ?? false }

/// Whether a type was derived from a tag, because no declared type has that tag.
@available(*, deprecated, message: "Use isDynamic of UTType.")
public func UTTypeIsDynamic(_ inUTI: CFString) -> Bool { type(inUTI)?.isDynamic ?? false }

/// Returns the type with an identifier; nil if the type is not declared.
private func type(_ identifier: CFString) -> UTType? { UTType(identifier as String) }

private func areEqual(_ left: CFString, _ right: CFString) -> Bool {
    if (left as String).lowercased() == (right as String).lowercased() { return true }
    guard let type = type(left) else { return false }
    return type == CoreServices.type(right)
}

/// Returns the types with a tag that conform to the parent; empty if the parent is not declared.
private func types(_ tagClass: CFString, _ tag: CFString, _ parent: CFString?) -> [UTType] {
    let supertype = parent.flatMap(type)
    guard parent == nil || supertype != nil else { return [] }
    return UTType.types(
        tag: tag as String, tagClass: UTTagClass(rawValue: tagClass as String), conformingTo: supertype)
}

private func tags(_ identifier: CFString, _ tagClass: CFString) -> [String] {
    type(identifier)?.tags[UTTagClass(rawValue: tagClass as String)] ?? []
}
