/// Transmits speech by push-to-talk.
public protocol PushToTalkTransmissionIntent: SystemIntent {}
