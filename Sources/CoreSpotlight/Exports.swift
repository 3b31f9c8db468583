// As on Apple's systems, an import of this module brings these along. There, Foundation has the names of
// CoreServices and LocalizedStrings.
@_exported public import CoreServices
@_exported public import Foundation
@_exported public import LocalizedStrings
@_exported public import UniformTypeIdentifiers
