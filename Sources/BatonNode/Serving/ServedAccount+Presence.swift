import BatonCore
import BatonSecurity

/// Announces an account on local networks.
extension ServedAccount {
    /// Announces the account in its present state.
    ///
    /// The addresses of its devices that are found are passed to the account.
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
