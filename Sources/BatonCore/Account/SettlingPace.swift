/// Decides how many records one step of settling handles.
///
/// Each step is a transaction. Many small transactions take several times as long as a few large ones. So the steps
/// grow while they end soon. While an app writes, each step has the smallest size, so that the app waits only for a
/// short time.
package struct SettlingPace: Sendable {
    /// The largest number of records that the next step handles.
    package private(set) var most: Int
    private let sizes: ClosedRange<Int>
    private let longest: Duration

    package init(_ limits: Limits) {
        sizes = limits.settledRecords...limits.settledRecords * Limits.settledMore
        (most, longest) = (limits.settledRecords, limits.settlingStep)
    }

    /// Adapts the number of records to the duration of a step.
    ///
    /// The duration includes the time in which the step waited for other writes. `besideWrites` says whether an app
    /// wrote during the step.
    package mutating func recordTime(_ time: Duration, besideWrites: Bool = false) {
        if besideWrites {
            most = sizes.lowerBound
        } else if time > longest {
            most = max(most / 2, sizes.lowerBound)
        } else if time < longest / 8 {
            most = min(most * 4, sizes.upperBound)
        } else if time < longest / 2 {
            most = min(most * 2, sizes.upperBound)
        } else if time < longest * 2 / 3 {
            most = min(most * 5 / 4, sizes.upperBound)
        }
    }
}
