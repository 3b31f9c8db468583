import BatonCore
import Support

/// The ways in which a faulty device spoils the frames that it should send.
///
/// It is a device of the account, so its valid messages are believed. Here it sends only what can't be read, what comes
/// twice or at the wrong time, and what harms itself alone.
enum Rubbish {
    static func made(of frame: Frame, _ world: World) -> [UInt8] {
        let encoded = frame.encoded
        return switch world.streams["rubbish"].number(0...11) {
        case 0: encoded + encoded
        case 1: []
        case 2: encoded + garbage(world)
        case 3: spoiled(frame, world)
        case 4:
            PeerMessage.acknowledgement(UInt64(world.streams["rubbish"].number(0...9))).frame.encoded
                + encoded
        default: encoded
        }
    }

    /// Returns random bytes.
    private static func garbage(_ world: World) -> [UInt8] {
        let count = world.streams["rubbish"].number(1...40)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: world.streams["rubbish"].next()) }
    }

    /// Returns the frame with some bits turned, if it can't be read any more.
    ///
    /// A readable one would be a lie about others.
    private static func spoiled(_ frame: Frame, _ world: World) -> [UInt8] {
        guard !frame.body.isEmpty else { return frame.encoded }
        var body = frame.body
        for _ in 0..<world.streams["rubbish"].number(1...3) {
            let place = world.streams["rubbish"].number(0...body.count - 1)
            body[place] ^= UInt8(1 << world.streams["rubbish"].number(0...7))
        }
        let spoiled = Frame(kind: frame.kind, body: body)
        do throws(CloseReason) {
            _ = try PeerMessage(spoiled)
            return frame.encoded
        } catch {
            return spoiled.encoded
        }
    }
}
