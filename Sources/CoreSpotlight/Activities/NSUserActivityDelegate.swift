public import Foundation

/// Is asked to save an activity, and told when it is continued on another machine.
///
/// All methods have a default, which does nothing. A class whose superclass conforms to the protocol must override the
/// method of the superclass: a method that only the subclass has is not called, because Swift on Linux has no optional
/// requirements.
@preconcurrency
public protocol NSUserActivityDelegate: NSObjectProtocol {
    /// Brings the activity up to date: it is about to be sent, or continued on another machine.
    ///
    /// The other machine waits for half a second. After that it continues with the state that was sent last.
    func userActivityWillSave(_ userActivity: NSUserActivity)

    /// Is told that the activity was continued on another machine.
    func userActivityWasContinued(_ userActivity: NSUserActivity)

    /// Gets the streams to the app that continues the activity; they are not open yet.
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
