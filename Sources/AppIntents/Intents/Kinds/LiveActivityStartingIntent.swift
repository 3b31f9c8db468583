/// Begins a live activity; Linux shows none.
public protocol LiveActivityStartingIntent: LiveActivityIntent {}
