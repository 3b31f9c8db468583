/// A thing that the person is likely to want now, and why.
package struct Prediction: Equatable, Sendable {
    package let thing: KeyHash
    /// The larger, the more likely; only differences have a meaning.
    package let score: Double
    /// The reasons, the strongest first; at least one.
    package let reasons: [PredictionReason]
}

/// A reason why a thing is suggested, in numbers.
package enum PredictionReason: Equatable, Sendable {
    /// It was used right after the thing that was used last, in `times` of `of` cases.
    case follows(times: Int, of: Int)
    /// It was used `times` times, mostly in one part of the week.
    case often(times: Int, mostly: WeekPart?)
    /// It was used `times` times at about this time of day, on weekdays or at weekends like now; `of` is the number of
    /// all uses.
    case now(times: Int, of: Int)
    /// It was last used at this time.
    case recent(WallTime)
    /// It is current on another device, where it last changed at this time.
    case elsewhere(WallTime)
    /// It is on a device from which things came `times` times.
    case device(times: Int)
    /// Its app last donated it at this time.
    case donated(WallTime)
}
