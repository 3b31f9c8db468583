/// Begins to play sound.
public protocol AudioStartingIntent: SystemIntent {}
