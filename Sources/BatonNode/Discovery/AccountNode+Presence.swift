import BatonCore
import BatonSecurity

extension AccountNode {
    /// The account as it is announced on local networks, and as its devices are found there.
    var presence: LocalNetworks.Presence {
        var bits: String?
        do {
            bits = try reception.invitation?.code.announcedBits()
        } catch {
            log.warn("can't announce the invitation on local networks: \(error)")
        }
        return LocalNetworks.Presence(
            account: credentials.account, root: credentials.root.publicKey, own: credentials.device,
            others: peers.soughtDevices, invitation: bits, found: { [peers] in peers.setAnnounced($0) })
    }
}
