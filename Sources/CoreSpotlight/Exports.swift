// As on Apple's systems, importing this module also imports these modules. On Apple's systems, Foundation contains the
// names of CoreServices and LocalizedStrings.
@_exported public import CoreServices
@_exported public import Foundation
@_exported public import LocalizedStrings
@_exported public import UniformTypeIdentifiers
