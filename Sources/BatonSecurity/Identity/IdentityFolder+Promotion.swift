extension IdentityFolder {
    /// Makes the device an owner, or an owner with another key or certificate; it is the same device.
    ///
    /// The one moment at which that comes about is when the file with both certificates is replaced. The key lies beside
    /// it by then, under a name of its own, and `load()` takes the one that the certificate is about: so a cut at any
    /// step leaves what was there, or all of the new.
    package func promote(_ credentials: Credentials) throws(SecurityError) {
        let current = try load()
        guard current.device == credentials.device, current.account == credentials.account,
            let ownerKey = credentials.ownerKey
        else {
            throw SecurityError(.malformed, "What makes a device an owner is that of another device.")
        }
        try settleOwnerKey(of: current)
        let folder = try openFolder()
        // Whole or not at all, as whoever reads the folder reads this file, too.
        try folder.replace(Self.nextOwnerKeyFile, contents: try ownerKey.pem())
        try folder.replace(Self.deviceFile, contents: try Self.deviceContents(credentials))
        try settleOwnerKey(of: credentials)
    }

    /// Gives the owner's key its name, if a cut kept it from that, and removes one that came to nothing.
    private func settleOwnerKey(of credentials: Credentials) throws(SecurityError) {
        let folder = try openFolder()
        guard let file = try folder.read(Self.nextOwnerKeyFile, limit: Self.fileByteLimit) else { return }
        if credentials.owner.checkPrivateKey(try PrivateKey(pem: file)) {
            try folder.move(Self.nextOwnerKeyFile, to: Self.ownerKeyFile)
        } else {
            try folder.remove(Self.nextOwnerKeyFile)
        }
    }
}
