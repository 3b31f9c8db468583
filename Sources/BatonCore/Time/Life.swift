/// One opening of a device's journal.
///
/// A life ends when the next begins, and is never used again. Its name contains its beginning by the hybrid clock and
/// its device, so that a later life has a larger name and a device recognizes its own lives; the rest is random.
package struct Life: Identifier {
    package let high, low: UInt64
    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// Creates a life that begins after a time, which must be the latest seen on the device.
    ///
    /// The name has 48 bits of milliseconds, 32 bits of the device, and 48 random bits.
    package init(after time: HybridTime, of device: DeviceIdentifier, random: UInt64) {
        let tag = UInt64(Self.tag(of: device))
        high = ((time.value >> 16) + 1) << 16 | tag >> 16
        low = tag << 48 | random & (1 << 48 - 1)
    }

    /// The time when the life began; a life that begins after that time has a larger name.
    package var birth: HybridTime {
        HybridTime(value: min((high >> 16) << 16, HybridTime.largest.value))
    }

    /// Whether the name says that the life began on the device.
    package func isOf(_ device: DeviceIdentifier) -> Bool {
        deviceTag == Self.tag(of: device)
    }

    /// A number that all lives of a device share; few other lives have the same.
    package var deviceTag: UInt32 { UInt32(truncatingIfNeeded: high << 16 | low >> 48) }

    /// Whether both lives began on the same device.
    package func isOfDevice(of other: Life) -> Bool {
        high & 0xffff == other.high & 0xffff && low >> 48 == other.low >> 48
    }

    /// Returns the number that the lives of a device share.
    package static func tag(of device: DeviceIdentifier) -> UInt32 {
        UInt32(truncatingIfNeeded: device.high >> 32)
    }
}
