/// Begins or changes a live activity; Linux shows none.
public protocol LiveActivityIntent: SystemIntent {}
