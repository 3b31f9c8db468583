package import BatonCore

/// A name in the URI form that certificates carry: who this is, in which account, as what.
package enum CertificateURI: Hashable, Sendable {
    /// The account that the certificate belongs to.
    case account(AccountIdentifier)
    /// The owner whose key the certificate is about.
    case owner(OwnerIdentifier)
    /// The device whose key the certificate is about.
    case device(DeviceIdentifier)

    /// The URI.
    ///
    /// There is one for each name, so names are compared as text and never parsed.
    package var text: String {
        switch self {
        case .account(let account): Kind.account.rawValue + account.description
        case .owner(let owner): Kind.owner.rawValue + owner.description
        case .device(let device): Kind.device.rawValue + device.description
        }
    }

    /// What a name of each kind begins with.
    package enum Kind: String, Sendable {
        case account = "urn:baton:account:"
        case owner = "urn:baton:owner:"
        case device = "urn:baton:device:"
    }
}

extension Certificate {
    /// The names of one kind, as they stand.
    func uris(_ kind: CertificateURI.Kind) -> [String] {
        uris.filter { $0.hasPrefix(kind.rawValue) }
    }
}
