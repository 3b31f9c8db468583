// The forms in which an intent returns its result. `view` and `content` take what SwiftUI would show, and drop it. A
// closure is meant for `content`, which is why the forms with `view` are disfavoured.

extension IntentResult {
    /// Returns a result without parts.
    public static func result() -> Self
    where Self == IntentResultContainer<Never, Never, Never, Never> { IntentResultContainer() }

    /// Returns a result with a value.
    public static func result<Returned: _IntentValue>(value: Returned) -> Self
    where Self == IntentResultContainer<Returned, Never, Never, Never> {
        IntentResultContainer(value: value)
    }

    /// Returns a result with an intent to perform next.
    public static func result<Opened: AppIntent>(opensIntent: Opened) -> Self
    where Self == IntentResultContainer<Never, Opened, Never, Never> {
        IntentResultContainer(opensIntent: opensIntent)
    }

    /// Returns a result with a dialog.
    public static func result(dialog: IntentDialog) -> Self
    where Self == IntentResultContainer<Never, Never, Never, IntentDialog> {
        IntentResultContainer(dialog: dialog)
    }

    /// Returns a result with a value and an intent to perform next.
    public static func result<Returned: _IntentValue, Opened: AppIntent>(
        value: Returned, opensIntent: Opened
    ) -> Self
    where Self == IntentResultContainer<Returned, Opened, Never, Never> {
        IntentResultContainer(value: value, opensIntent: opensIntent)
    }

    /// Returns a result with a value and a dialog.
    public static func result<Returned: _IntentValue>(
        value: Returned, dialog: IntentDialog
    ) -> Self
    where Self == IntentResultContainer<Returned, Never, Never, IntentDialog> {
        IntentResultContainer(value: value, dialog: dialog)
    }

    /// Returns a result with an intent to perform next and a dialog.
    public static func result<Opened: AppIntent>(opensIntent: Opened, dialog: IntentDialog) -> Self
    where Self == IntentResultContainer<Never, Opened, Never, IntentDialog> {
        IntentResultContainer(opensIntent: opensIntent, dialog: dialog)
    }

    /// Returns a result with a value, an intent to perform next and a dialog.
    public static func result<Returned: _IntentValue, Opened: AppIntent>(
        value: Returned, opensIntent: Opened, dialog: IntentDialog
    ) -> Self
    where Self == IntentResultContainer<Returned, Opened, Never, IntentDialog> {
        IntentResultContainer(value: value, opensIntent: opensIntent, dialog: dialog)
    }

    /// Returns a result with something to show.
    @_disfavoredOverload
    public static func result<View>(view: View) -> Self
    where Self == IntentResultContainer<Never, Never, _NoSnippet, Never> { IntentResultContainer() }

    /// Returns a result with a value and something to show.
    @_disfavoredOverload
    public static func result<Returned: _IntentValue, View>(value: Returned, view: View) -> Self
    where Self == IntentResultContainer<Returned, Never, _NoSnippet, Never> {
        IntentResultContainer(value: value)
    }

    /// Returns a result with an intent to perform next and something to show.
    @_disfavoredOverload
    public static func result<Opened: AppIntent, View>(opensIntent: Opened, view: View) -> Self
    where Self == IntentResultContainer<Never, Opened, _NoSnippet, Never> {
        IntentResultContainer(opensIntent: opensIntent)
    }

    /// Returns a result with a dialog and something to show.
    @_disfavoredOverload
    public static func result<View>(dialog: IntentDialog, view: View) -> Self
    where Self == IntentResultContainer<Never, Never, _NoSnippet, IntentDialog> {
        IntentResultContainer(dialog: dialog)
    }

    /// Returns a result with a value, an intent to perform next and something to show.
    @_disfavoredOverload
    public static func result<Returned: _IntentValue, Opened: AppIntent, View>(
        value: Returned, opensIntent: Opened, view: View
    ) -> Self
    where Self == IntentResultContainer<Returned, Opened, _NoSnippet, Never> {
        IntentResultContainer(value: value, opensIntent: opensIntent)
    }

    /// Returns a result with a value, a dialog and something to show.
    @_disfavoredOverload
    public static func result<Returned: _IntentValue, View>(
        value: Returned, dialog: IntentDialog, view: View
    ) -> Self
    where Self == IntentResultContainer<Returned, Never, _NoSnippet, IntentDialog> {
        IntentResultContainer(value: value, dialog: dialog)
    }

    /// Returns a result with an intent to perform next, a dialog and something to show.
    @_disfavoredOverload
    public static func result<Opened: AppIntent, View>(
        opensIntent: Opened, dialog: IntentDialog, view: View
    ) -> Self
    where Self == IntentResultContainer<Never, Opened, _NoSnippet, IntentDialog> {
        IntentResultContainer(opensIntent: opensIntent, dialog: dialog)
    }

    /// Returns a result with a value, an intent to perform next, a dialog and something to show.
    @_disfavoredOverload
    public static func result<Returned: _IntentValue, Opened: AppIntent, View>(
        value: Returned, opensIntent: Opened, dialog: IntentDialog, view: View
    ) -> Self
    where Self == IntentResultContainer<Returned, Opened, _NoSnippet, IntentDialog> {
        IntentResultContainer(value: value, opensIntent: opensIntent, dialog: dialog)
    }

    /// Returns a result with something to show.
    public static func result<View>(content: () -> View) -> Self
    where Self == IntentResultContainer<Never, Never, _NoSnippet, Never> { IntentResultContainer() }

    /// Returns a result with a value and something to show.
    public static func result<Returned: _IntentValue, View>(
        value: Returned, content: () -> View
    ) -> Self
    where Self == IntentResultContainer<Returned, Never, _NoSnippet, Never> {
        IntentResultContainer(value: value)
    }

    /// Returns a result with an intent to perform next and something to show.
    public static func result<Opened: AppIntent, View>(opensIntent: Opened, content: () -> View) -> Self
    where Self == IntentResultContainer<Never, Opened, _NoSnippet, Never> {
        IntentResultContainer(opensIntent: opensIntent)
    }

    /// Returns a result with a dialog and something to show.
    public static func result<View>(dialog: IntentDialog, content: () -> View) -> Self
    where Self == IntentResultContainer<Never, Never, _NoSnippet, IntentDialog> {
        IntentResultContainer(dialog: dialog)
    }

    /// Returns a result with a value, an intent to perform next and something to show.
    public static func result<Returned: _IntentValue, Opened: AppIntent, View>(
        value: Returned, opensIntent: Opened, content: () -> View
    ) -> Self
    where Self == IntentResultContainer<Returned, Opened, _NoSnippet, Never> {
        IntentResultContainer(value: value, opensIntent: opensIntent)
    }

    /// Returns a result with a value, a dialog and something to show.
    public static func result<Returned: _IntentValue, View>(
        value: Returned, dialog: IntentDialog, content: () -> View
    ) -> Self
    where Self == IntentResultContainer<Returned, Never, _NoSnippet, IntentDialog> {
        IntentResultContainer(value: value, dialog: dialog)
    }

    /// Returns a result with an intent to perform next, a dialog and something to show.
    public static func result<Opened: AppIntent, View>(
        opensIntent: Opened, dialog: IntentDialog, content: () -> View
    ) -> Self
    where Self == IntentResultContainer<Never, Opened, _NoSnippet, IntentDialog> {
        IntentResultContainer(opensIntent: opensIntent, dialog: dialog)
    }

    /// Returns a result with a value, an intent to perform next, a dialog and something to show.
    public static func result<Returned: _IntentValue, Opened: AppIntent, View>(
        value: Returned, opensIntent: Opened, dialog: IntentDialog, content: () -> View
    ) -> Self
    where Self == IntentResultContainer<Returned, Opened, _NoSnippet, IntentDialog> {
        IntentResultContainer(value: value, opensIntent: opensIntent, dialog: dialog)
    }

    /// Returns a result with an intent that shows something.
    public static func result<Snippet: SnippetIntent>(snippetIntent: Snippet) -> Self
    where Self == IntentResultContainer<Never, Never, Snippet, Never> { IntentResultContainer() }

    /// Returns a result with a value and an intent that shows something.
    public static func result<Returned: _IntentValue, Snippet: SnippetIntent>(
        value: Returned, snippetIntent: Snippet
    ) -> Self
    where Self == IntentResultContainer<Returned, Never, Snippet, Never> {
        IntentResultContainer(value: value)
    }

    /// Returns a result with an intent to perform next and an intent that shows something.
    public static func result<Opened: AppIntent, Snippet: SnippetIntent>(
        opensIntent: Opened, snippetIntent: Snippet
    ) -> Self
    where Self == IntentResultContainer<Never, Opened, Snippet, Never> {
        IntentResultContainer(opensIntent: opensIntent)
    }

    /// Returns a result with a dialog and an intent that shows something.
    public static func result<Snippet: SnippetIntent>(
        dialog: IntentDialog, snippetIntent: Snippet
    ) -> Self
    where Self == IntentResultContainer<Never, Never, Snippet, IntentDialog> {
        IntentResultContainer(dialog: dialog)
    }

    /// Returns a result with a value, an intent to perform next and an intent that shows something.
    public static func result<Returned: _IntentValue, Opened: AppIntent, Snippet: SnippetIntent>(
        value: Returned, opensIntent: Opened, snippetIntent: Snippet
    ) -> Self
    where Self == IntentResultContainer<Returned, Opened, Snippet, Never> {
        IntentResultContainer(value: value, opensIntent: opensIntent)
    }

    /// Returns a result with a value, a dialog and an intent that shows something.
    public static func result<Returned: _IntentValue, Snippet: SnippetIntent>(
        value: Returned, dialog: IntentDialog, snippetIntent: Snippet
    ) -> Self
    where Self == IntentResultContainer<Returned, Never, Snippet, IntentDialog> {
        IntentResultContainer(value: value, dialog: dialog)
    }

    /// Returns a result with an intent to perform next, a dialog and an intent that shows something.
    public static func result<Opened: AppIntent, Snippet: SnippetIntent>(
        opensIntent: Opened, dialog: IntentDialog, snippetIntent: Snippet
    ) -> Self
    where Self == IntentResultContainer<Never, Opened, Snippet, IntentDialog> {
        IntentResultContainer(opensIntent: opensIntent, dialog: dialog)
    }

    /// Returns a result with a value, an intent to perform next, a dialog and an intent that shows something.
    public static func result<Returned: _IntentValue, Opened: AppIntent, Snippet: SnippetIntent>(
        value: Returned, opensIntent: Opened, dialog: IntentDialog, snippetIntent: Snippet
    ) -> Self
    where Self == IntentResultContainer<Returned, Opened, Snippet, IntentDialog> {
        IntentResultContainer(value: value, opensIntent: opensIntent, dialog: dialog)
    }
}
