import Foundation

/// How many seconds this thread has been at work, whatever else the machine did meanwhile.
///
/// What runs on one thread and waits for nothing is measured by it, because a busy machine spoils it least.
func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
