// Kinds of intents for parts of Apple's systems that Linux lacks. They compile, and are performed like other intents.

/// Configures a widget; Linux shows none.
public protocol WidgetConfigurationIntent: SystemIntent {}

extension WidgetConfigurationIntent {
    /// Does nothing: the intent only has values.
    public func perform() async throws -> IntentResultContainer<Never, Never, Never, Never> { .result() }
}

/// Configures a control; Linux shows none.
public protocol ControlConfigurationIntent: SystemIntent {}

extension ControlConfigurationIntent {
    /// Does nothing: the intent only has values.
    public func perform() async throws -> IntentResultContainer<Never, Never, Never, Never> { .result() }
}

/// Plays sound.
public protocol AudioPlaybackIntent: SystemIntent {}
/// Begins to play sound.
public protocol AudioStartingIntent: SystemIntent {}
/// Records sound.
public protocol AudioRecordingIntent: SystemIntent {}
/// Begins or changes a live activity; Linux shows none.
public protocol LiveActivityIntent: SystemIntent {}
/// Begins a live activity; Linux shows none.
public protocol LiveActivityStartingIntent: LiveActivityIntent {}
/// Takes pictures.
public protocol CameraCaptureIntent: SystemIntent {}
/// Pushes to talk.
public protocol PushToTalkTransmissionIntent: SystemIntent {}
