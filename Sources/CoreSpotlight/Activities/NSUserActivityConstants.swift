/// The type of an activity in which a person follows a link to a web page; the page is `webpageURL`.
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"
/// The type of an activity for an app that a live activity opens; on Linux, no such activity is sent.
public let NSUserActivityTypeLiveActivity = "NSUserActivityTypeLiveActivity"
/// The type of an activity for an app that opens the camera on a locked screen; on Linux, no such activity is sent.
public let NSUserActivityTypeLockedCameraCapture = "NSUserActivityTypeLockedCameraCapture"
/// The type of an activity in which a person browses a guide of TV channels; on Linux, no such activity is sent.
public let TVUserActivityTypeBrowsingChannelGuide = "TVUserActivityTypeBrowsingChannelGuide"
/// The key in `userInfo` for the address of a document.
public let NSUserActivityDocumentURLKey = "NSUserActivityDocumentURLKey"

/// The smallest code of an error about activities, in `NSCocoaErrorDomain`.
public let NSUserActivityErrorMinimum = 4608
/// The largest code of an error about activities, in `NSCocoaErrorDomain`.
public let NSUserActivityErrorMaximum = 4863
