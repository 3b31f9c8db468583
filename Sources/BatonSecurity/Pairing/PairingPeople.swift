package import BatonCore

/// A joiner that has proved that it knows the code, as the person at the inviter is told of it.
package struct PairingApplicant: Hashable, Sendable {
    /// What it is called; fit to be shown.
    package let name: String
    /// What both sides show, to be compared.
    package let phrase: String

    package init(name: String, phrase: String) { (self.name, self.phrase) = (name, phrase) }
}

/// Who was let in.
package struct PairingAdmission: Equatable, Sendable {
    /// The key to which the certificate was given.
    package let joiner: PublicKey
    /// The certificate, which the roster must learn of.
    package let certificate: Certificate

    /// A joiner with this key was given this certificate.
    package init(joiner: PublicKey, certificate: Certificate) {
        (self.joiner, self.certificate) = (joiner, certificate)
    }
}

/// An inviter that has proved that it knows the code, as the person at the joiner is told of it.
package struct PairingHost: Hashable, Sendable {
    /// The inviting device.
    package let device: DeviceIdentifier
    /// What it is called; fit to be shown.
    package let name: String
    /// What both sides show, to be compared.
    package let phrase: String
    /// Whether it lets this machine in only once its person says so.
    package let asksPerson: Bool

    package init(device: DeviceIdentifier, name: String, phrase: String, asksPerson: Bool) {
        (self.device, self.name, self.phrase, self.asksPerson) = (device, name, phrase, asksPerson)
    }
}
