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
    /// It often came after what was used last: this often, of all times.
    case follows(times: Int, of: Int)
    /// It was used so often, mostly in that part of the week.
    case often(times: Int, mostly: WeekPart?)
    /// It was used so often at about this time of day, on such days.
    case now(times: Int, of: Int)
    /// It was used last at that time.
    case recent(WallTime)
    /// It goes on on another device, where it changed at that time.
    case elsewhere(WallTime)
    /// It was used most on the device where it is: this often.
    case device(times: Int)
    /// Its app donated it, the last time then.
    case donated(WallTime)
}
