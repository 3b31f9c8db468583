/// Where a device keeps its credentials for one account: PEM files in a folder that nobody else may enter.
///
/// The folder appears whole or not at all, because it is made under another name and then renamed.
package struct IdentityFolder: Sendable {
    /// The folder's path, without a slash at its end.
    package let path: String

    /// The account's root certificate.
    static let rootFile = "root.pem"
    /// The device's certificate, then that of the owner who signed it: they are renewed together.
    static let deviceFile = "device.pem"
    /// The device's key.
    static let deviceKeyFile = "device-key.pem"
    /// The owner's key; only on a device that is an owner.
    static let ownerKeyFile = "owner-key.pem"
    /// The key of another owner that is about to take that one's place; it is the owner's once the certificate says so.
    static let nextOwnerKeyFile = "owner-key.pem.next"

    /// All names, in the order in which files are made.
    static let files = [rootFile, deviceFile, deviceKeyFile, ownerKeyFile, nextOwnerKeyFile]
    /// The most bytes that a file may have.
    static let fileByteLimit = 64 * 1024

    /// A folder that need not be there yet; the one above it must be.
    package init(path: String) {
        var path = path[...]
        while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
        self.path = String(path)
    }

    /// The credentials in the folder, if they are whole, belong together, and are nobody else's to read.
    ///
    /// They may have expired: a device renews its own. Throws `.notInitialised`, `.permissions` or `.damaged`.
    package func load() throws(SecurityError) -> Credentials {
        let folder = try openFolder()
        try folder.handle.demandPrivacy(mode: "700")
        let root = try read(Self.rootFile, in: folder)
        let device = try read(Self.deviceFile, in: folder)
        let deviceKey = try read(Self.deviceKeyFile, in: folder)
        let ownerKeys = [
            try folder.read(Self.ownerKeyFile, limit: Self.fileByteLimit),
            try folder.read(Self.nextOwnerKeyFile, limit: Self.fileByteLimit),
        ]
        do {
            let certificates = try Certificate.read(pem: device.copy(), count: 2)
            let chain = AccountChain(
                root: try Certificate(pem: root.copy()), owner: certificates[1], device: certificates[0])
            return try Credentials(
                chain: chain, deviceKey: try PrivateKey(pem: deviceKey),
                ownerKey: try Self.ownerKey(of: chain.owner, among: ownerKeys), at: nil)
        } catch {
            throw SecurityError(
                .damaged, "The identity in \(path) is damaged. \(error.message)", reasons: error.reasons)
        }
    }

    /// Replaces the device's certificate, and that of the owner who signed it, by renewed ones for the same key.
    package func renew(_ credentials: Credentials) throws(SecurityError) {
        let current = try load()
        guard current.device == credentials.device, current.account == credentials.account else {
            throw SecurityError(.malformed, "The renewed certificate is that of another device or account.")
        }
        if let ownerKey = current.ownerKey, !credentials.owner.checkPrivateKey(ownerKey) {
            throw SecurityError(.malformed, "An owner's device is renewed by that owner.")
        }
        try openFolder().replace(Self.deviceFile, contents: try Self.deviceContents(credentials))
    }

    /// The owner's key, of the one in its place and the next: whichever the owner's certificate is about.
    ///
    /// One in its place that it is not about is a fault, unless the next one is right; a next one alone that it is not
    /// about was never used.
    private static func ownerKey(
        of owner: Certificate, among files: [SecretBytes?]
    ) throws(SecurityError) -> PrivateKey? {
        var present: PrivateKey?, next: PrivateKey?
        if let file = files[0] { present = try PrivateKey(pem: file) }
        if let file = files[1] { next = try PrivateKey(pem: file) }
        if let next, owner.checkPrivateKey(next) { return next }
        return present
    }

    /// What the device's file holds.
    static func deviceContents(_ credentials: Credentials) throws(SecurityError) -> SecretBytes {
        try SecretBytes(copying: try credentials.certificate.pem() + credentials.owner.pem())
    }

    func openFolder() throws(SecurityError) -> FolderHandle {
        guard let folder = try FolderHandle.open(path, followingLink: true),
            Self.files.contains(where: { folder.contains($0) })
        else {
            throw SecurityError(
                .notInitialised,
                "There is no identity in \(path). Type `baton init`, or `baton join` with a code.")
        }
        return folder
    }

    private func read(_ name: String, in folder: borrowing FolderHandle) throws(SecurityError) -> SecretBytes
    {
        guard let contents = try folder.read(name, limit: Self.fileByteLimit) else {
            throw SecurityError(.damaged, "The identity in \(path) is damaged: \(name) is missing.")
        }
        return contents
    }
}
