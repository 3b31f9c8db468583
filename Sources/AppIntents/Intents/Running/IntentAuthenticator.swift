/// Finds out who sits at the machine, for intents that require it; a login service, or a fake in tests.
package protocol IntentAuthenticator: Sendable {
    /// Returns whether the person's session is there and not locked; throws if nothing on the machine can tell.
    ///
    /// `reason` is the title of the intent, which the person is told if they are asked for a proof instead.
    func isSessionUnlocked(reason: String) async throws -> Bool
    /// Has the person prove who they are on this machine; returns whether they did.
    func authenticate(reason: String) async throws -> Bool
}
