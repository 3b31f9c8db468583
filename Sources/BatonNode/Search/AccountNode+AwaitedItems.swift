import BatonCore

extension AccountNode {
    /// Whether items that a rescue could not read may still come from another device, so that no search is complete.
    func awaitsItems() -> Bool {
        lacksItems && devices.statuses.others.contains { $0.revocation == nil && $0.removed == nil }
    }
}
