public import Foundation

/// Brings an activity up to date before it is sent, and is told when the activity is continued on another machine.
///
/// All methods have a default, which does nothing or closes the streams. If the superclass of a class conforms to this
/// protocol, the class must override the methods of the superclass. A method that only the subclass has is not called,
/// because Swift on Linux has no optional requirements.
@preconcurrency
public protocol NSUserActivityDelegate: NSObjectProtocol {
    /// Brings the activity up to date, because it is about to be sent, or to be continued on another machine.
    ///
    /// The node waits 0.7 seconds for this call. After that, the other machine continues with the state that was sent
    /// last.
    func userActivityWillSave(_ userActivity: NSUserActivity)

    /// Called when the activity was continued on another machine.
    func userActivityWasContinued(_ userActivity: NSUserActivity)

    /// Gets the streams to the app that continues the activity; the streams are not open yet.
    func userActivity(
        _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream)
}

extension NSUserActivityDelegate {
    /// Does nothing.
    public func userActivityWillSave(_ userActivity: NSUserActivity) {}

    /// Does nothing.
    public func userActivityWasContinued(_ userActivity: NSUserActivity) {}

    /// Closes the streams.
    public func userActivity(
        _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream
    ) {
        inputStream.close()
        outputStream.close()
    }
}
