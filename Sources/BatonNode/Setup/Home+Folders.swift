package import BatonCore
import BatonSecurity
import Glibc

extension Home {
    /// Makes the folders that an account needs, for this user's eyes alone.
    func makeFolders() throws(LocalFailure) {
        var path = ""
        for part in account().split(separator: "/", omittingEmptySubsequences: false) {
            path += path.isEmpty && part.isEmpty ? "" : String(part)
            defer { path += "/" }
            guard !path.isEmpty, path != "/", mkdir(path, 0o700) != 0, errno != EEXIST else { continue }
            throw LocalFailure(
                .failed, "The folder \(path) can't be made: \(String(cString: strerror(errno))).")
        }
    }

    /// The file in which the witness of an account on this home is kept, if there is a place for one.
    ///
    /// Homes are told apart by their real paths; one that was moved is another.
    func witness(_ account: String = Home.defaultAccount) -> String? {
        guard let witnesses, let real = realpath(data, nil) else { return nil }
        defer { free(real) }
        // A witness inside the home would be copied and put back with it.
        let path = String(cString: real)
        guard !"\(witnesses)/".hasPrefix("\(path)/") else { return nil }
        var folder = ""
        for part in witnesses.split(separator: "/") {
            folder += "/" + part
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { return nil }
        }
        return "\(witnesses)/\(Base32.encode(SHA256.digest(Array("\(path)/\(account)".utf8)).prefix(16)))"
    }

    /// Refuses a home that holds an account already.
    func demandNoAccount() throws(LocalFailure) {
        guard access(identity(), F_OK) != 0 else {
            throw LocalFailure(
                .alreadyInitialised,
                "This home holds an account already. `baton status\(option)` tells about it; "
                    + "another account needs another home, with --home DIR.")
        }
    }

    /// Keeps the credentials of a device that has none yet.
    func keep(_ credentials: Credentials) throws(LocalFailure) {
        do {
            try IdentityFolder(path: identity()).create(credentials)
        } catch  where error.code == .alreadyInitialised {
            try demandNoAccount()
            // Somebody else is at it, and has not finished.
            throw LocalFailure(.alreadyInitialised, error.message)
        } catch {
            throw LocalFailure(.storage, "The keys can't be kept: \(error)")
        }
    }

    /// Makes an account, with this device as its first.
    package func makeAccount(name: String) throws(LocalFailure) -> LocalAnswer {
        try demandNoAccount()
        try makeFolders()
        let credentials: Credentials, text: String
        do {
            let code = try RecoveryCode.random()
            let now = WallTime.now.seconds
            credentials = try Credentials(
                root: RootAuthority(recoveryCode: code, now: now), deviceName: name, now: now)
            text = try code.text()
        } catch {
            throw LocalFailure(.failed, "The account can't be made: \(error)")
        }
        try keep(credentials)
        let device = DeviceReference(
            identifier: credentials.device, name: credentials.deviceName, isHere: true)
        return .initialised(credentials.account, device, recoveryCode: text)
    }
}
