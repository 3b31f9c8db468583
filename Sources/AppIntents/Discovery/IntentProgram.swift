/// An app that prepares itself before the shell runs one of its intents.
///
/// `APP intents run NAME` performs an intent without the app's own start. An app whose intents need objects, or that
/// sets its identifier in code, says so in a type that conforms; the type is found by itself.
///
///     struct Program: IntentProgram {
///         static func prepareForIntents() async throws {
///             BatonApplication.shared.identifier = "org.example.notes"
///             AppDependencyManager.shared.add(dependency: Store())
///         }
///     }
@_alwaysEmitConformanceMetadata
public protocol IntentProgram: SendableMetatype {
    /// Sets the identifier of the app, and adds the objects that its intents and queries use.
    static func prepareForIntents() async throws
    /// Whether the library answers `APP intents` before the app's main function.
    ///
    /// It is asked before libraries that the program uses are set up, so it only returns a constant.
    ///
    /// An app that returns false calls `AppIntentsCommand.runIfRequested()` itself.
    static var answersBeforeMain: Bool { get }
}

extension IntentProgram {
    /// True: the library answers by itself.
    public static var answersBeforeMain: Bool { true }
}
