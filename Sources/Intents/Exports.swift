@_exported public import CoreSpotlight
