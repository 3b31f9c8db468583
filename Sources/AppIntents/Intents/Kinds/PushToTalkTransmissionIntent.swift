/// Pushes to talk.
public protocol PushToTalkTransmissionIntent: SystemIntent {}
