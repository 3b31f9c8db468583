package import BatonCore
import Glibc

/// The name of this machine.
package enum HostName {
    /// The whole name, as the network may know it.
    package static var whole: String? {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
        let name = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return name.isEmpty ? nil : name
    }

    /// What a device is called: as its person says, else as its machine up to the first dot.
    package static func device(named name: String?) throws(LocalFailure) -> String {
        if let name { return name }
        guard let head = whole?.split(separator: ".").first else {
            throw LocalFailure(.usage, "This machine has no name. Say what to call it with --name NAME.")
        }
        return String(head).prefix(fittingBytes: Limits.nameBytes)
    }
}
