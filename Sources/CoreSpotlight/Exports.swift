// As on Apple's systems, who imports this module has these two as well.
@_exported public import Foundation
@_exported public import UniformTypeIdentifiers
