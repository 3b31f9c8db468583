import Foundation
import Support

/// Two brokers of MQTT, of which the one has a bridge to the other.
///
/// All goes at least once (QoS 1) on all three ways. Apps connect over Unix sockets, as ours do; nothing is logged,
/// nothing delayed, and nothing kept on a disk, which is how the broker comes.
final class Mosquitto: Rival {
    static let program = "mosquitto"
    static let versionWord = "-h"

    let near, far: String
    private let brokers: [ChildProcess]

    init(in folder: TemporaryFolder) throws {
        let path = folder.path + "/mosquitto"
        try makeFolder(path)
        try RivalProgram.makeCertificates(in: path, folder)
        (near, far) = (path + "/near", path + "/far")
        let port = try RivalProgram.freePort()
        // As root it would become another user, who may not read this folder.
        let common = """
            user \(NSUserName())
            allow_anonymous true
            log_dest none
            set_tcp_nodelay true

            """
        try File.write(
            common + """
                listener 0 \(far)
                listener \(port) 127.0.0.1
                require_certificate true
                cafile \(path)/authority.pem
                certfile \(path)/one.pem
                keyfile \(path)/one.key

                """, to: path + "/far.conf")
        try File.write(
            common + """
                listener 0 \(near)
                connection far
                address 127.0.0.1:\(port)
                topic # out 1
                restart_timeout 1
                bridge_cafile \(path)/authority.pem
                bridge_certfile \(path)/two.pem
                bridge_keyfile \(path)/two.key

                """, to: path + "/near.conf")
        brokers = try ["far", "near"].map { name in
            let broker = try RivalProgram.start(["mosquitto", "-c", "\(path)/\(name).conf"], in: folder)
            try eventually("a broker at \(path)/\(name)") {
                guard broker.isRunning else { throw BenchmarkFailure("mosquitto: \(broker.errors)") }
                return FileManager.default.fileExists(atPath: "\(path)/\(name)")
            }
            return broker
        }
    }

    // MARK: Messages of apps, by version 3.1.1 of the protocol

    static let script = AppScript(
        opening: connecting("teller"),
        change: { packet(0x32, text(topic) + number($0 % 60_000 + 1) + AppScript.bare($0)) },
        listening: connecting("hearer") + packet(0x82, number(1) + text(topic) + [1]), how: "mqtt")

    private static let topic = "one/org.example.editor/window"

    /// In a session that begins anew, and without anything said only to be alive.
    private static func connecting(_ name: String) -> [UInt8] {
        packet(0x10, text("MQTT") + [4, 2] + number(0) + text(name))
    }

    private static func packet(_ kind: UInt8, _ body: [UInt8]) -> [UInt8] {
        var (length, bytes): (Int, [UInt8]) = (body.count, [])
        repeat {
            bytes.append(UInt8(length & 127) | (length > 127 ? 128 : 0))
            length >>= 7
        } while length > 0
        return [kind] + bytes + body
    }

    private static func text(_ text: String) -> [UInt8] { number(text.utf8.count) + text.utf8 }

    private static func number(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 255), UInt8(number & 255)] }
}
