/// One opening of a device's journal.
///
/// A life ends when the next one begins, and is never used again. Its name contains the time of its beginning by the
/// hybrid clock, and a part of the device's identifier. So a later life has a larger name, and a device recognises its
/// own lives. The rest of the name is random.
package struct Life: Identifier {
    package let high, low: UInt64
    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// Creates a life that begins after a time.
    ///
    /// The time must be the latest one that the device has seen.
    ///
    /// The name consists of 48 bits of milliseconds, 32 bits of the device, and 48 random bits.
    package init(after time: HybridTime, of device: DeviceIdentifier, random: UInt64) {
        let tag = UInt64(Self.tag(of: device))
        high = ((time.value >> 16) + 1) << 16 | tag >> 16
        low = tag << 48 | random & (1 << 48 - 1)
    }

    /// The time when the life began, by the hybrid clock.
    ///
    /// A life that begins after that time has a larger name.
    package var birth: HybridTime {
        HybridTime(value: min((high >> 16) << 16, HybridTime.largest.value))
    }

    /// Whether the life began on this device, according to its name.
    package func isOf(_ device: DeviceIdentifier) -> Bool {
        deviceTag == Self.tag(of: device)
    }

    /// A number that is the same for all lives of a device.
    ///
    /// It is unlikely that two devices have the same number.
    package var deviceTag: UInt32 { UInt32(truncatingIfNeeded: high << 16 | low >> 48) }

    /// Whether both lives began on the same device, according to their names.
    package func isOfDevice(of other: Life) -> Bool {
        high & 0xffff == other.high & 0xffff && low >> 48 == other.low >> 48
    }

    /// Returns the number that is the same for all lives of a device.
    package static func tag(of device: DeviceIdentifier) -> UInt32 {
        UInt32(truncatingIfNeeded: device.high >> 32)
    }
}
