/// The type of the activity of a person who follows a link to a page: `webpageURL` is the page.
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"
/// The type of the activity of an app that a live activity opens; nothing on Linux sends it.
public let NSUserActivityTypeLiveActivity = "NSUserActivityTypeLiveActivity"
/// The type of the activity of an app that a camera opens on a locked screen; nothing on Linux sends it.
public let NSUserActivityTypeLockedCameraCapture = "NSUserActivityTypeLockedCameraCapture"
/// The type of the activity of a person who leafs through channels; nothing on Linux sends it.
public let TVUserActivityTypeBrowsingChannelGuide = "TVUserActivityTypeBrowsingChannelGuide"
/// The key of the address of a document in `userInfo`.
public let NSUserActivityDocumentURLKey = "NSUserActivityDocumentURLKey"

/// The smallest code of an error about activities, in `NSCocoaErrorDomain`.
public let NSUserActivityErrorMinimum = 4608
/// The largest code of an error about activities, in `NSCocoaErrorDomain`.
public let NSUserActivityErrorMaximum = 4863
