import BatonCore

extension AccountNode {
    /// Whether items that a rescue could not read may still come from another device.
    ///
    /// One device that is in step has sent all that it has. Until then, no search is complete.
    func awaitsItems() -> Bool {
        guard lacksItems else { return false }
        let isAlone = devices.statuses.others.allSatisfy { $0.revocation != nil || $0.removed != nil }
        if isAlone || !peers.inStep.isEmpty { lacksItems = false }
        return lacksItems
    }
}
