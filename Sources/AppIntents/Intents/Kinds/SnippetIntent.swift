/// Shows something beside a dialog; on Linux only its dialog is shown.
@_alwaysEmitConformanceMetadata
public protocol SnippetIntent: AppIntent {}

extension SnippetIntent {
    /// Does nothing: Linux shows no snippets.
    public static func reload() {}
}
