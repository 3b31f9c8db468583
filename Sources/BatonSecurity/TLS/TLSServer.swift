import COpenSSL

/// What answers at a port: the accounts that are served there, of which a client's hint chooses one.
///
/// Until then nothing is said, not even that there is TLS.
@safe package final class TLSServer: Sendable {
    /// Of which every session begins: it has no certificate to show.
    let entrance: TLSContext
    /// What is shown to whoever wants to join, who could not judge who shows it.
    let mask: Mask
    private let contexts: [TLSContext]
    private let hints: HintTable

    /// Serves the accounts of these contexts, each that of a device.
    package init(_ contexts: [TLSContext]) throws(SecurityError) {
        (entrance, mask) = (try TLSContext.entrance(), try Mask())
        self.contexts = contexts
        var keys: [HintKey] = []
        for context in contexts {
            guard let rules = context.rules else {
                preconditionFailure("only a device serves an account")
            }
            keys.append(rules.hintKey)
        }
        hints = HintTable(keys)
    }

    /// The account whose hint this is.
    func context(hintedBy hint: AccountHint, at time: Int64) throws(SecurityError) -> TLSContext? {
        try hints.place(of: hint, at: time).map { contexts[$0] }
    }

    /// An account that invites somebody now: who wants to join knows no hint.
    var invitingContext: TLSContext? { contexts.first { $0.rules?.invitationIsOpen() ?? false } }
}
