import BatonNetwork

/// Measures how long something takes, by a clock that never goes back.
package struct Stopwatch {
    private let start = MonotonicTime.now

    package init() {}

    /// The time since the start.
    package var elapsed: Duration { MonotonicTime.now - start }
}

extension Duration {
    /// The number of milliseconds, with three decimal places.
    package var milliseconds: Double { Double(nanoseconds / 1000) / 1000 }
}
