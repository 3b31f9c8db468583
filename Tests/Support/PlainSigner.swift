package import BatonCore

/// Signs and marks as a device does whose key is known to nobody else, without any cryptography of keys.
package struct PlainSigner: DeviceSigner {
    package let owner, device: RosterStatement.Certificate
    private let key: UInt8

    /// Creates the signer of the device with that number.
    package init(_ number: UInt8) {
        guard let part = RosterStatement.Certificate([number]) else {
            preconditionFailure("a certificate may have one byte")
        }
        (owner, device, key) = (part, part, number)
    }

    package func sign(_ bytes: [UInt8]) -> [UInt8]? { SHA256.digest([1, key] + bytes) }

    package func activityMark(_ bytes: [UInt8]) -> [UInt8] {
        Array(SHA256.digest([2, key] + bytes).prefix(ActivityMark.byteCount))
    }
}
