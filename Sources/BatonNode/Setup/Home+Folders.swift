package import BatonCore
import BatonNetwork
import BatonSecurity
import BatonStore
import Glibc

extension Home {
    /// Makes the folders for an account that is about to be stored here.
    ///
    /// An earlier command that made or joined an account, and was killed before it stored the identity, may have left a
    /// `FirstDevice` mark, and a store with the address of another machine. Files of another account are moved away;
    /// none of them can be in use.
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

    /// Makes the folders that an account needs, readable only for this user.
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

    /// Returns the path of the witness files of an account in this home, without the lanes' suffixes; nil if there is
    /// no place for them.
    ///
    /// Homes are distinguished by their real paths; a home that was moved is another one.
    func witness() -> String? {
        guard let witnesses, let real = realpath(data, nil) else { return nil }
        defer { free(real) }
        // A witness inside the home would be copied and restored with it.
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

    /// The reason why the folder of witnesses is not used: it belongs to another user or is open to others; nil if it
    /// may be used.
    ///
    /// A user who can write there could make a journal continue where a new life must begin.
    var witnessTrouble: NetworkError? {
        guard let witnesses, let slash = witnesses.lastIndex(of: "/") else { return nil }
        for folder in [String(witnesses[..<slash]), witnesses] {
            do throws(NetworkError) {
                try PrivateFolder.demand(folder)
            } catch  where error.code == .foreign {
                return error
            } catch {
                // The folder does not exist, so nobody else put anything into it.
                continue
            }
        }
        return nil
    }

    /// Stores the credentials of a device that has none yet.
    func keep(_ credentials: Credentials) throws(LocalFailure) {
        LeftAccount.clear(in: self)
        do {
            try IdentityFolder(path: identity()).create(credentials)
        } catch  where error.code == .alreadyInitialised {
            try demandNoAccount()
            // Another process is storing an identity, and has not finished.
            throw LocalFailure(.alreadyInitialised, error.message)
        } catch {
            throw LocalFailure(.storage, "Could not save the keys: \(error)")
        }
    }

    /// Refuses a home whose folders can't be made, without making any of them.
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

    /// Makes an account, with this device as its first.
    package func makeAccount(name: String) throws(LocalFailure) -> NewAccountReply {
        try NewAccount(in: self, name: name).make()
    }
}
