// As on Apple's systems, an import of this module brings Foundation and the types of content along.
@_exported public import CoreSpotlight
