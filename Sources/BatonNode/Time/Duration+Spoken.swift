import BatonNetwork

extension Duration {
    /// The duration in words for a log, rounded.
    var spoken: String {
        let seconds = components.seconds
        switch seconds {
        case ..<10:
            let tenths = (nanoseconds + 50_000_000) / 100_000_000
            return "\(tenths / 10).\(tenths % 10) s"
        case ..<120: return "\(seconds) s"
        case ..<7200: return "\(seconds / 60) minutes"
        case ..<172_800: return "\(seconds / 3600) hours"
        default: return "\(seconds / 86_400) days"
        }
    }
}
