package import BatonCore

/// A URI in a certificate that names an account, an owner or a device.
package enum CertificateURI: Hashable, Sendable {
    /// The account that the certificate belongs to.
    case account(AccountIdentifier)
    /// The owner whose key the certificate contains.
    case owner(OwnerIdentifier)
    /// The device whose key the certificate contains.
    case device(DeviceIdentifier)

    /// The URI as text.
    ///
    /// There is only one way to write each URI, so URIs are compared as text and never parsed.
    package var text: String {
        switch self {
        case .account(let account): Kind.account.rawValue + account.description
        case .owner(let owner): Kind.owner.rawValue + owner.description
        case .device(let device): Kind.device.rawValue + device.description
        }
    }

    /// The prefix of each kind of URI.
    package enum Kind: String, Sendable {
        case account = "urn:baton:account:"
        case owner = "urn:baton:owner:"
        case device = "urn:baton:device:"
    }
}

extension Certificate {
    /// Returns the URIs of one kind, without parsing them.
    func uris(_ kind: CertificateURI.Kind) -> [String] {
        uris.filter { $0.hasPrefix(kind.rawValue) }
    }
}
