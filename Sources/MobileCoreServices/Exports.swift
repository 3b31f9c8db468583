@_exported public import CoreServices
