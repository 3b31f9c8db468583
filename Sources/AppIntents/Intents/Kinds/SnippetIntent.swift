/// Shows something beside a dialog; on Linux its dialog is shown.
public protocol SnippetIntent: AppIntent {}

extension SnippetIntent {
    /// Does nothing: Linux shows no snippets.
    public static func reload() {}
}
