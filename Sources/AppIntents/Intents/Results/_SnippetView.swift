/// Marks a result that would show something.
public protocol _SnippetView {}
