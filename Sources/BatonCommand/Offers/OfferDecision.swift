package import BatonCore
package import BatonNetwork

/// Decides when to offer to continue an activity that the person has just left on another machine.
///
/// All it knows are the changes of the list of activities. This machine counts as in use again when one of its own
/// activities begins or changes after a pause.
package struct OfferDecision {
    private let pace: Pace
    /// The time when this machine was last used, or nil if no use is known.
    private var lastUse: MonotonicTime?
    /// The activities of other machines, by identifier, each with the time of its last change.
    private var others: [String: (summary: ActivitySummary, time: MonotonicTime)] = [:]
    /// The times when this machine's own activities were last changed, by identifier.
    private var own: [String: WallTime] = [:]
    /// The activities that were offered, oldest first.
    ///
    /// Each has its identifier and its title.
    private var offered: [String] = []
    private var lastOffer: MonotonicTime?

    /// Intervals that make offers rare.
    package struct Pace: Equatable, Sendable {
        /// How long this machine must have been unused before it is used again.
        package var pause = Duration.seconds(300)
        /// The longest time that may have passed since the last use of the other machine.
        package var age = Duration.seconds(600)
        /// The shortest time between two offers.
        package var interval = Duration.seconds(300)

        package init() {}
    }

    /// The largest number of offered activities that are remembered.
    private static let offeredMost = 256

    package init(_ pace: Pace = Pace()) { self.pace = pace }

    /// Processes changes that arrived together; returns the activity to offer, or nil if there is none.
    package mutating func receiveHappenings(
        _ happenings: [ActivityWatch.Happening], at now: MonotonicTime, _ clock: WallTime
    ) -> ActivitySummary? {
        guard !happenings.contains(.anew) else {
            begin(happenings, at: now, clock)
            return nil
        }
        var offer: ActivitySummary?
        for happening in happenings {
            switch happening {
            case .anew: break
            case .gone(let summary):
                others[summary.identifier] = nil
                own[summary.identifier] = nil
            case .changed(let summary):
                let found = summary.device.isHere ? noticeUse(summary, at: now) : notice(summary, at: now)
                offer = found ?? offer
            }
        }
        return offer
    }

    /// Processes the whole list.
    ///
    /// Each activity says when it was changed, by the clock of its own machine.
    private mutating func begin(
        _ happenings: [ActivityWatch.Happening], at now: MonotonicTime, _ clock: WallTime
    ) {
        let known = others
        (others, own) = ([:], [:])
        for case .changed(let summary) in happenings {
            let age = max(0, clock.milliseconds - summary.activity.changed.milliseconds)
            let changed = now + Duration.milliseconds(-age)
            if summary.device.isHere {
                own[summary.identifier] = summary.activity.changed
                lastUse = max(lastUse ?? changed, changed)
            } else {
                others[summary.identifier] = (summary, known[summary.identifier]?.time ?? changed)
            }
        }
    }

    /// Processes a change of an activity of this machine.
    private mutating func noticeUse(_ summary: ActivitySummary, at now: MonotonicTime) -> ActivitySummary? {
        // If another machine continues an activity of this machine, the activity is reported, but was not changed. This
        // does not count as use of this machine.
        guard
            own.updateValue(summary.activity.changed, forKey: summary.identifier) != summary.activity.changed
        else { return nil }
        let before = lastUse
        lastUse = now
        guard before.map({ now - $0 >= pace.pause }) ?? true else { return nil }
        let listed = others.values.map(\.summary).sorted { $0.place < $1.place }
        let shown = Set(listed.shownToPeople.map(\.identifier))
        let latest = others.values.filter {
            now - $0.time <= pace.age && shown.contains($0.summary.identifier)
                && mayOffer($0.summary, on: summary.device)
        }
        .max { ($0.time, $0.summary.identifier) < ($1.time, $1.summary.identifier) }
        return latest.flatMap { offer($0.summary, at: now) }
    }

    /// Processes a change of an activity of another machine.
    ///
    /// An activity that was sent to this machine is offered at once.
    private mutating func notice(_ summary: ActivitySummary, at now: MonotonicTime) -> ActivitySummary? {
        let known = others[summary.identifier]
        let isWorkedOn = known?.summary.activity.changed != summary.activity.changed
        others[summary.identifier] = (summary, isWorkedOn ? now : known?.time ?? now)
        guard summary.isSentHere, known?.summary.isSentHere != true, mayOffer(summary, on: nil) else {
            return nil
        }
        return offer(summary, at: now)
    }

    private func mayOffer(_ summary: ActivitySummary, on here: DeviceReference?) -> Bool {
        !summary.activity.isClipboard && !summary.isForgotten && !summary.isPrivate
            && summary.departure == nil && summary.activity.finished == nil
            && (here == nil || summary.activity.continuation?.device != here?.identifier)
    }

    private mutating func offer(_ summary: ActivitySummary, at now: MonotonicTime) -> ActivitySummary? {
        // A shell has the same activity for days. So the activity is offered again when its title names another folder.
        let thing = "\(summary.identifier) \(summary.activity.title ?? "")"
        guard !offered.contains(thing), lastOffer.map({ now - $0 >= pace.interval }) ?? true else {
            return nil
        }
        offered.append(thing)
        if offered.count > Self.offeredMost { offered.removeFirst() }
        lastOffer = now
        return summary
    }
}
