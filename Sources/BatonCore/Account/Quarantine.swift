/// Knows which received writes are quarantined because they can't be read, and which devices sent these writes.
///
/// `Quarantine` is a part of `Account`. A store quarantines and resolves writes by the rules of `QuarantinedWrite`.
/// This type only shows a person which device may need another version of the program.
package struct Quarantine: Sendable {
    /// The sender of each quarantined write; nil if the sender is not known.
    private var senders: [Dot: DeviceIdentifier?]
    /// The number of void writes (`VoidCheck`) that each peer has sent since the process began.
    ///
    /// Void writes are not stored.
    ///
    /// No device passes a void write on. So either the peer made the write up, or the peer runs a version that does not
    /// know the rules.
    private var void: [DeviceIdentifier: Int] = [:]
    /// The number of void writes that each peer has sent since this device last refused the peer because of them.
    private var tolerated: [DeviceIdentifier: Int] = [:]
    private var effects: [Effect] = []

    package enum Effect: Equatable, Sendable {
        /// A write was quarantined.
        case quarantined(QuarantinedWrite)
        /// A peer sent void writes for the first time.
        case void(DeviceIdentifier)
        /// A peer sent too many void writes; refuse the peer for a while.
        case refuse(DeviceIdentifier)
    }

    /// Reads the senders from the writes that are quarantined in the store.
    package init(_ writes: [QuarantinedWrite]) { senders = Self.senders(of: writes) }

    // MARK: Commands

    /// Handles a commit of the store, which may quarantine writes or resolve quarantined ones.
    package mutating func handleCommit(_ commit: StoreCommit) {
        for write in commit.quarantined {
            senders[write.dot] = .some(write.peer)
            effects.append(.quarantined(write))
        }
        for dot in commit.resolved { senders[dot] = nil }
    }

    /// Called when `count` void writes came from a device.
    package mutating func handleVoidWrites(count: Int, from device: DeviceIdentifier) {
        if void[device] == nil { effects.append(.void(device)) }
        void[device, default: 0] += count
        tolerated[device, default: 0] += count
        guard tolerated[device, default: 0] > Limits.voidWrites else { return }
        tolerated[device] = nil
        effects.append(.refuse(device))
    }

    /// Handles the reopening of the store, in which only `writes` are quarantined now.
    ///
    /// A rescue of the store drops all other quarantined writes, together with the claims that depend on them.
    package mutating func handleReopening(knowing writes: [QuarantinedWrite]) {
        senders = Self.senders(of: writes)
    }

    // MARK: Outputs

    package mutating func nextEffect() -> Effect? { effects.isEmpty ? nil : effects.removeFirst() }

    /// The devices that sent quarantined writes, each with the number of these writes.
    package var counts: [(device: DeviceIdentifier, count: Int)] {
        Dictionary(grouping: senders.values.compactMap(\.self), by: \.self)
            .sorted { $0.key < $1.key }.map { ($0.key, $0.value.count) }
    }

    /// The devices that sent void writes, each with the number of these writes.
    package var voidCounts: [(device: DeviceIdentifier, count: Int)] {
        void.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    // MARK: Steps

    private static func senders(of writes: [QuarantinedWrite]) -> [Dot: DeviceIdentifier?] {
        var senders: [Dot: DeviceIdentifier?] = [:]
        for write in writes { senders[write.dot] = .some(write.peer) }
        return senders
    }
}
