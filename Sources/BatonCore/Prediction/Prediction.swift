/// A thing that the person is likely to want now, and the reasons for this.
package struct Prediction: Equatable, Sendable {
    package let thing: KeyHash
    /// A larger score means a likelier thing; only differences of scores have a meaning.
    package let score: Double
    /// The reasons for the prediction, strongest first; there is at least one.
    package let reasons: [PredictionReason]
}

/// A reason why a thing is suggested, with numbers or a time.
package enum PredictionReason: Equatable, Sendable {
    /// After the thing that was used last, this thing was the next one in `times` of `of` cases.
    case follows(times: Int, of: Int)
    /// The thing was used `times` times, mostly in one part of the week.
    case often(times: Int, mostly: WeekPart?)
    /// The thing was used `times` times at about this time of day, and on the same kind of day: a weekday or a weekend.
    ///
    /// `of` is the number of all uses of the thing.
    case now(times: Int, of: Int)
    /// The thing was last used at this time.
    case recent(WallTime)
    /// The thing is current on another device, where it last changed at this time.
    case elsewhere(WallTime)
    /// The thing is on a device from which things came `times` times.
    case device(times: Int)
    /// The app of the thing last donated it at this time.
    case donated(WallTime)
}
