/// Plays sound.
public protocol AudioPlaybackIntent: SystemIntent {}
