package import BatonCore
import BatonSecurity

/// An account that is to be made: all of it is in memory until `make()`, so that whoever stops before, or is killed,
/// has made nothing.
package struct NewAccount {
    private let home: Home
    private let credentials: Credentials
    private let recoveryCode: RecoveryCode
    private let text: String

    /// Thinks up an account, with this device as its first, where there is a place for one.
    package init(in home: Home, name: String) throws(LocalFailure) {
        try home.demandNoAccount()
        try home.demandPlace()
        self.home = home
        do {
            recoveryCode = try RecoveryCode.random()
            let now = WallTime.now.seconds
            credentials = try Credentials(
                root: RootAuthority(recoveryCode: recoveryCode, now: now), deviceName: name, now: now)
            text = try recoveryCode.text()
        } catch {
            throw LocalFailure(.failed, "The account can't be made: \(error)")
        }
    }

    /// What the person is told of it.
    package var answer: LocalAnswer {
        let device = DeviceReference(
            identifier: credentials.device, name: credentials.deviceName, isHere: true)
        return .initialised(credentials.account, device, recoveryCode: text)
    }

    /// Reads lines until one is the recovery code, and tells of each other one what is wrong with it.
    package func awaitConfirmation(
        line: () -> String?, tell: (LocalAnswer) throws(LocalFailure) -> Void
    ) throws(LocalFailure) {
        while let line = line() {
            do {
                return try recoveryCode.compare(with: line)
            } catch {
                try tell(.failure(LocalFailure(.usage, error.message)))
            }
        }
        throw LocalFailure(.failed, "Nothing was made, as the recovery code was not confirmed.")
    }

    /// Keeps it in the home.
    package func make() throws(LocalFailure) -> LocalAnswer {
        try home.makePlace(for: credentials.account)
        try FirstDevice(folder: home.account()).make()
        try home.keep(credentials)
        return answer
    }
}
