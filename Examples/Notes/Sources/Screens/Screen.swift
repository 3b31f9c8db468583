/// A screen of the app, to which the typed lines go while it is shown.
@MainActor protocol Screen: AnyObject, Sendable {
    /// Text before the line that the person types.
    var prompt: String { get }
    func appear() async throws
    func handle(_ line: String) async throws
    /// Called when another screen takes its place, or the app ends.
    func disappear() async throws
}

extension Screen {
    func disappear() async throws {}
}
