import BatonCore
import BatonNetwork
import BatonSecurity

extension Witness {
    /// Creates the witness of an account in a home.
    convenience init(_ home: Home, _ credentials: Credentials) throws(NetworkError) {
        self.init(
            path: home.witness(), account: credentials.account, device: credentials.device,
            bootID: try ProcessIdentity.currentBootID())
    }
}
