/// A result as `.result(…)` makes it.
public struct IntentResultContainer<Value: Sendable, Opened: Sendable, Snippet, Dialog: Sendable>:
    IntentResult
{
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
