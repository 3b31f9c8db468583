/// Whether much goes through the connections of a loop.
extension EventLoop {
    /// How long no more than little goes through before that is called calm.
    static let calmTime = Duration.seconds(1)

    /// So much was read or written at once.
    func note(moved count: Int) {
        guard count >= ReadBuffer.byteCount, calmed != nil else { return }
        isBusy = true
        planCalm()
    }

    /// Looks once more when some time has passed, as long as much goes through; so an idle loop sleeps on.
    private func planCalm() {
        guard !isCalmPlanned else { return }
        (isCalmPlanned, isBusy) = (true, false)
        schedule(after: Self.calmTime) { [unowned self] in
            isCalmPlanned = false
            if isBusy { planCalm() } else { calmed?() }
        }
    }
}
