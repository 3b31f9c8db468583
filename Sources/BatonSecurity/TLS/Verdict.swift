/// What the roster says of a device whose certificate is right.
package enum Verdict: Hashable, Sendable {
    /// It belongs to the account.
    case admitted
    /// It does not any more, or not yet; the sentence is for a log.
    case refused(because: String)

    /// Throws unless the device is admitted.
    func demand() throws(SecurityError) {
        guard case .refused(let reason) = self else { return }
        throw SecurityError(.untrusted, "The roster does not admit the device: \(reason)")
    }
}
