package import BatonCore
import Glibc

/// Finds the name of this machine.
package enum HostName {
    /// The full host name, or nil if the machine has no host name.
    package static var whole: String? {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
        let name = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return name.isEmpty ? nil : name
    }

    /// Returns the given name of a device, or else the part of this machine's host name before the first dot.
    package static func device(named name: String?) throws(LocalFailure) -> String {
        if let name { return name }
        guard let head = whole?.split(separator: ".").first else {
            throw LocalFailure(.usage, "This machine has no host name. Choose a name with --name NAME.")
        }
        return String(head).prefix(fittingBytes: Limits.nameBytes)
    }
}
