/// That a certificate does not hold yet, by the clock here: one of two clocks is wrong, for owners begin them in the
/// past.
struct ClockDoubt: CustomStringConvertible {
    /// From when it holds, in seconds since 1970.
    let begins: Int64
    /// What the clock here shows.
    let now: Int64

    /// How far apart the two are, in words.
    var description: String {
        let seconds = begins - now
        let distance =
            seconds >= 2 * 86_400 ? "\(seconds / 86_400) days" : "\(max(1, seconds / 60)) minutes"
        return "The certificate holds only \(distance) from now: the clock here or the other one is wrong."
    }
}
