// Uses of activities as code for Apple's systems has them: both forms of calls, and protocols.

import CoreSpotlight

final class Editor: NSObject, NSUserActivityDelegate {
    let activity = NSUserActivity(activityType: "org.example.edit")

    func userActivityWillSave(_ userActivity: NSUserActivity) { userActivity.title = "saved" }

    func userActivityWasContinued(_ userActivity: NSUserActivity) {}

    func userActivity(
        _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream
    ) {
        inputStream.open()
        outputStream.open()
    }

    func begin() {
        activity.delegate = self
        activity.becomeCurrent()
        activity.getContinuationStreams { input, output, error in
            print(input as Any, output as Any, error as Any)
        }
        NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["a"]) { print("deleted") }
        NSUserActivity.deleteAllSavedUserActivities { print("deleted") }
    }

    func waitForAll() async throws {
        let (input, output) = try await activity.continuationStreams()
        input.open()
        output.open()
        await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["a"])
        await NSUserActivity.deleteAllSavedUserActivities()
    }

    func typed() throws -> [String: Int] {
        try activity.setTypedPayload(["a": 1])
        return try activity.typedPayload([String: Int].self)
    }
}

extension NSUserActivity: @retroactive CustomReflectable {
    /// A mirror with the type.
    public var customMirror: Mirror { Mirror(self, children: ["type": activityType]) }
}

// Apps claim this of Apple's class, which the compiler can't check.
extension NSUserActivity: @retroactive @unchecked Sendable {}
