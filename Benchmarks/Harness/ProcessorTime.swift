import Foundation

/// How many seconds this thread has been at work, whatever else the machine did meanwhile.
///
/// Work that runs on one thread and never waits is measured by it, because other load on the machine disturbs it least.
func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
