/// One opening of a device's journal.
///
/// It ends when the next begins, and is never used again. Its name says when it began, by the hybrid clock, and on
/// which device, so that a later life has the larger name, and a device knows its own; the rest is random.
package struct Life: Identifier {
    package let high, low: UInt64
    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// A life that begins behind all times that were seen there.
    ///
    /// 48 bits of milliseconds, 32 of the device, 48 that were drawn.
    package init(after time: HybridTime, of device: DeviceIdentifier, random: UInt64) {
        let tag = UInt64(Self.tag(of: device))
        high = ((time.value >> 16) + 1) << 16 | tag >> 16
        low = tag << 48 | random & (1 << 48 - 1)
    }

    /// When it began; a life that begins after that has a larger name.
    package var birth: HybridTime {
        HybridTime(value: min((high >> 16) << 16, HybridTime.largest.value))
    }

    /// Whether a life of that name began on the device.
    package func isOf(_ device: DeviceIdentifier) -> Bool {
        deviceTag == Self.tag(of: device)
    }

    /// What all lives of a device have in common, and few others.
    package var deviceTag: UInt32 { UInt32(truncatingIfNeeded: high << 16 | low >> 48) }

    /// Whether both began on one device.
    package func isOfDevice(of other: Life) -> Bool {
        high & 0xffff == other.high & 0xffff && low >> 48 == other.low >> 48
    }

    /// What the lives of a device have in common.
    package static func tag(of device: DeviceIdentifier) -> UInt32 {
        UInt32(truncatingIfNeeded: device.high >> 32)
    }
}
