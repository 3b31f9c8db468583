import BatonCore
import BatonSecurity

/// Announces the account on local networks.
extension ServedAccount {
    /// Announces the account as it is now, and passes on the addresses of its devices that are found.
    func announce() {
        guard let account else { return }
        var bits: String?
        do throws(SecurityError) {
            bits = try account.reception.invitation?.code.announcedBits()
        } catch {
            log.warn("can't announce the invitation on local networks: \(error)")
        }
        node.localNetworks?.set(
            LocalNetworks.Presence(
                account: account.core.credentials.account, root: account.core.credentials.root.publicKey,
                own: account.core.credentials.device, others: account.peers.soughtDevices, invitation: bits,
                found: { [weak account] in account?.peers.setAnnounced($0) },
                foundTwin: { [weak core = account.core] address in
                    guard let core else { return }
                    core.drive { $0.handleAnnouncement(ofTwinAt: address, at: core.loop.instant) }
                }))
    }
}
