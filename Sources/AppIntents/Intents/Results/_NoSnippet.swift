/// Stands for what a result would show; nothing of it is kept.
public enum _NoSnippet: _SnippetView {}
