/// What an intent returns: a value, a dialog, another intent to perform, or nothing.
public protocol IntentResult: Sendable {
    /// The type of the value.
    associatedtype Value = Never

    /// The value; nil if there is none.
    var value: Value? { get }
    /// The parts of the result without their types.
    var _outcome: _IntentOutcome { get }
}

extension IntentResult {
    /// A result without parts.
    public var _outcome: _IntentOutcome { _IntentOutcome() }
}

extension IntentResult where Value == Never {
    /// Nil: there is no value.
    public var value: Never? { nil }
}

/// The parts of a result without their types.
public struct _IntentOutcome: Sendable {
    /// The value.
    package var value: (any _IntentValue)?
    /// What is said to the person.
    package var dialog: IntentDialog?
    /// The intent to perform next.
    package var next: (any AppIntent)?

    /// Creates an outcome without parts.
    public init() {}
}

/// A result with a value.
public protocol ReturnsValue<Value>: IntentResult where Value: _IntentValue {}

/// A result with a dialog.
public protocol ProvidesDialog: IntentResult {}

/// A result with an intent that is performed next.
public protocol OpensIntent: IntentResult {}

/// A result with something to show; on Linux its dialog is shown.
public protocol ShowsSnippetView: IntentResult {}

/// A result with an intent that shows something; on Linux its dialog is shown.
public protocol ShowsSnippetIntent: IntentResult {}

/// A result as `.result(…)` makes it.
public struct IntentResultContainer<Value: Sendable, Opened: Sendable, Snippet, Dialog: Sendable>: IntentResult {
    /// The value; nil if there is none.
    public let value: Value?
    let opensIntent: Opened?
    let dialog: Dialog?

    init(value: Value? = nil, opensIntent: Opened? = nil, dialog: Dialog? = nil) {
        (self.value, self.opensIntent, self.dialog) = (value, opensIntent, dialog)
    }

    /// The parts of the result without their types.
    public var _outcome: _IntentOutcome {
        var outcome = _IntentOutcome()
        outcome.value = value.flatMap { $0 as? any _IntentValue }
        outcome.dialog = dialog.flatMap { $0 as? IntentDialog }
        outcome.next = opensIntent.flatMap { $0 as? any AppIntent }
        return outcome
    }
}

extension IntentResultContainer: ReturnsValue where Value: _IntentValue {}
extension IntentResultContainer: ProvidesDialog where Dialog == IntentDialog {}
extension IntentResultContainer: OpensIntent where Opened: AppIntent {}
extension IntentResultContainer: ShowsSnippetView where Snippet: _SnippetView {}
extension IntentResultContainer: ShowsSnippetIntent where Snippet: SnippetIntent {}

/// The mark of a result that would show something.
public protocol _SnippetView {}

/// Stands for what a result would show; nothing of it is kept.
public enum _NoSnippet: _SnippetView {}
