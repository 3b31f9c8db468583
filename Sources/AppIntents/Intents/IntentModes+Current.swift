extension IntentModes {
    /// The mode in which an intent is performed now.
    public enum Current: Hashable, Sendable {
        /// Without the app's window.
        case background
        /// With the app's window in front.
        case foreground

        /// Whether the intent may bring the app to the front.
        public var canContinueInForeground: Bool {
            self == .foreground || (IntentRun.current?.canForeground ?? false)
        }
    }
}
