import BatonClient
import BatonCore
import BatonNetwork

/// The program as its node knows it.
struct AppIdentity: Sendable {
    /// The name of the app: `BATON_APP`, else the name of the executable.
    let app: String
    let home: Home
    let client: NodeClient

    static var shared: AppIdentity { perProcess.value }
    private static let perProcess = PerProcess { AppIdentity() }

    private init() {
        let application = BatonApplication.shared
        (app, home, client) = (application.fixedIdentifier, application.home, application.client)
    }
}
