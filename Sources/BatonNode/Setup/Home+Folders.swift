package import BatonCore
import BatonNetwork
import BatonSecurity
import BatonStore
import Glibc

extension Home {
    /// Creates the folders for an account that is about to be stored in this home.
    ///
    /// An earlier command may have created or joined an account, and may have been killed before it stored the
    /// identity. That command may have left a `FirstDevice` mark, and a store with the address of another machine. If
    /// there are files of another account, they are moved away. They can't be in use.
    func makePlace(for account: AccountIdentifier) throws(LocalFailure) {
        try demandNoAccount()
        try makeFolders()
        let folder = self.account()
        let files = StoreFolder(path: folder)
        try FirstDevice(folder: folder).clear()
        let settings = SettingsFiles(folder: folder)
        do throws(StoreFailure) {
            try settings.create()
            guard ["activities", "index"].contains(where: { files.exists("\(folder)/\($0).sqlite") }) else {
                return
            }
            do throws(StoreFailure) {
                _ = try SQLiteStore(folder: folder, account: account)
            } catch  where error.code == .foreign {
                try StoreRestoration.moveAway(in: files, on: WallTime.today)
                try settings.remove()
                try RevocationFiles(folder: folder).remove()
                try settings.create()
            }
        } catch {
            throw LocalFailure(
                .storage, "Can't use the remains of an earlier attempt in \(folder): \(error).")
        }
    }

    /// Creates the folders that an account needs.
    ///
    /// Only this user can read the folders.
    private func makeFolders() throws(LocalFailure) {
        var path = ""
        for part in account().split(separator: "/", omittingEmptySubsequences: false) {
            path += path.isEmpty && part.isEmpty ? "" : String(part)
            defer { path += "/" }
            guard !path.isEmpty, path != "/", mkdir(path, 0o700) != 0, errno != EEXIST else { continue }
            throw LocalFailure(
                .failed, "The folder \(path) can't be created: \(String(cString: strerror(errno))).")
        }
    }

    /// Returns the path of the witness files of an account in this home, without the suffixes of the lanes.
    ///
    /// The result is nil if there is no place for witness files.
    ///
    /// Homes are distinguished by their real paths. A home that was moved counts as another home.
    func witness() -> String? {
        guard let witnesses, let real = realpath(data, nil) else { return nil }
        defer { free(real) }
        // A witness inside the home would be copied and restored together with the home.
        let path = String(cString: real)
        guard !"\(witnesses)/".hasPrefix("\(path)/") else { return nil }
        guard witnessTrouble == nil else { return nil }
        var folder = ""
        for part in witnesses.split(separator: "/") {
            folder += "/" + part
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { return nil }
        }
        return
            "\(witnesses)/\(Base32.encode(SHA256.digest(Array("\(path)/\(meant ?? .usual)".utf8)).prefix(16)))"
    }

    /// The reason why the folder for witnesses is not used; nil if it may be used.
    ///
    /// The folder is not used if it belongs to another user, or if other users have access to it.
    ///
    /// A user who can write to the folder could make a journal continue where a new life must begin.
    var witnessTrouble: NetworkError? {
        guard let witnesses, let slash = witnesses.lastIndex(of: "/") else { return nil }
        for folder in [String(witnesses[..<slash]), witnesses] {
            do throws(NetworkError) {
                try PrivateFolder.demand(folder)
            } catch  where error.code == .foreign {
                return error
            } catch {
                // The folder does not exist. Therefore, no other user has put anything into it.
                continue
            }
        }
        return nil
    }

    /// Stores the credentials of a device that has no credentials yet.
    func keep(_ credentials: Credentials) throws(LocalFailure) {
        LeftAccount.clear(in: self)
        do {
            try IdentityFolder(path: identity()).create(credentials)
        } catch  where error.code == .alreadyInitialised {
            try demandNoAccount()
            // Another process has begun to store an identity, and has not finished.
            throw LocalFailure(.alreadyInitialised, error.message)
        } catch {
            throw LocalFailure(.storage, "Could not save the keys: \(error)")
        }
    }

    /// Throws if the folders of the home can't be created.
    ///
    /// This creates no folder.
    func demandPlace() throws(LocalFailure) {
        if let folder = ReadOnlyDisk.folder(of: account()) {
            throw LocalFailure(
                .failed,
                """
                The folder \(account()) can't be created: the disk of \(folder) can't be written.
                `findmnt -T \(folder)` shows how it is mounted. Remount it for writing, or choose another folder with \
                --home DIR.
                """)
        }
        var path = account()
        while access(path, F_OK) != 0, let slash = path.lastIndex(of: "/") {
            path = slash == path.startIndex ? "/" : String(path[..<slash])
            if path == "/" { break }
        }
        if access(path, F_OK) != 0 { path = "." }
        guard access(path, W_OK | X_OK) == 0, isFolder(path) else {
            throw LocalFailure(.failed, "The folder \(account()) can't be created: \(path) is not writable.")
        }
    }

    private func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Creates an account with this device as its first device.
    package func makeAccount(name: String) throws(LocalFailure) -> NewAccountReply {
        try NewAccount(in: self, name: name).make()
    }
}
