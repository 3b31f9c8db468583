import BatonClient
import BatonCore
import BatonNetwork

/// Who this program is for its node.
struct AppIdentity: Sendable {
    /// The name of the app: `BATON_APP`, else the name of the executable.
    let app: String
    let home: Home
    let client: NodeClient

    static var shared: AppIdentity { perProcess.value }
    private static let perProcess = PerProcess { AppIdentity() }

    private init() {
        let path = NodeProgram.ownPath ?? "app"
        let name = path.split(separator: "/").last.map(String.init) ?? path
        app = Environment.variable("BATON_APP") ?? name
        do {
            home = try Home(option: nil, environment: Environment.variable)
        } catch {
            preconditionFailure("\(error)")
        }
        client = NodeClient(home)
    }
}
