import BatonCore
import BatonNode
import Support
import Testing

/// The reason why a device is not connected, as a person is told it after the device has ended the session.
@Suite struct `The end of a session by a device` {
    private static let reasons: [(CloseReason, String)] = [
        (
            CloseReason(.silent, "it has not answered for 9 seconds"),
            "it ended the connection, because this machine did not answer in time"
        ),
        (CloseReason(.storage, "the disk is full"), "it can't store what it is sent: the disk is full"),
        (CloseReason(.goingAway, "it stops"), "it ended the connection: it stops"),
    ]

    @Test(arguments: reasons)
    func `is shown in words that name the machine at fault`(reason: CloseReason, told: String) throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder, "near")
        try node.admit("far")
        let far = try ActedDevice(try RunningNode.home(folder, "far"), callingPort: node.port)
        far.say(.close(reason))
        try eventually("the reason: \(node.lines.suffix(4))") { try node.peers().first?.trouble == told }
        #expect(try node.peers().first?.closeCode == reason.code.rawValue)
    }
}
