package import BatonCore
import BatonSecurity

/// An account that is to be created.
///
/// Everything is only in memory until `make()` is called. If the command ends or is killed before that, nothing was
/// created.
package struct NewAccount {
    private let home: Home
    private let credentials: Credentials
    private let recoveryCode: RecoveryCode
    private let text: String

    /// Generates an account with this device as its first device.
    ///
    /// Throws if the home has no room for the account.
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
            throw LocalFailure(.failed, "Can't create the account: \(error)")
        }
    }

    /// The description of the account for the person.
    package var reply: NewAccountReply {
        let device = DeviceReference(
            identifier: credentials.device, name: credentials.deviceName, isHere: true)
        return NewAccountReply(credentials.account, device, recoveryCode: text)
    }

    /// Reads lines until one of them is the recovery code.
    ///
    /// For each other line, `refuse` is called with the mistake.
    package func awaitConfirmation(
        line: () -> String?, refuse: (LocalFailure) throws(LocalFailure) -> Void
    ) throws(LocalFailure) {
        while let line = line() {
            do {
                return try recoveryCode.compare(with: line)
            } catch {
                try refuse(LocalFailure(.usage, error.message))
            }
        }
        throw LocalFailure(.failed, "The recovery code was not confirmed. Nothing was created.")
    }

    /// Stores the account in the home.
    package func make() throws(LocalFailure) -> NewAccountReply {
        try home.makePlace(for: credentials.account)
        try FirstDevice(folder: home.account()).make()
        try home.keep(credentials)
        return reply
    }
}
