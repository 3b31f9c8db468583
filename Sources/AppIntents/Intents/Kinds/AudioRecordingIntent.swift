/// Records sound.
public protocol AudioRecordingIntent: SystemIntent {}
