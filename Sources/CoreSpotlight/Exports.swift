// As on Apple's systems, an import of this module also imports these modules. There, the names of CoreServices and
// LocalizedStrings are in Foundation.
@_exported public import CoreServices
@_exported public import Foundation
@_exported public import LocalizedStrings
@_exported public import UniformTypeIdentifiers
