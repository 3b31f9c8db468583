package import BatonCore
package import BatonNetwork

/// Decides when to offer to continue here an activity that the person left on another machine a moment ago.
///
/// It sees only the changes of the list of activities. This machine counts as in use again when one of its own
/// activities begins or changes after a pause.
package struct OfferDecision {
    private let pace: Pace
    /// When this machine was last used; nil if no use is known.
    private var lastUse: MonotonicTime?
    /// The activities of other machines, with the time of the last change.
    private var others: [String: (summary: ActivitySummary, time: MonotonicTime)] = [:]
    /// The last changes of this machine's own activities.
    private var own: [String: WallTime] = [:]
    /// The things that were offered, the oldest first.
    private var offered: [String] = []
    private var lastOffer: MonotonicTime?

    /// The times that keep offers rare.
    package struct Pace: Equatable, Sendable {
        /// How long this machine must have been idle.
        package var pause = Duration.seconds(300)
        /// The longest time since the other machine was used.
        package var age = Duration.seconds(600)
        /// The shortest time between two offers.
        package var interval = Duration.seconds(300)

        package init() {}
    }

    /// The most things that are remembered as offered.
    private static let offeredMost = 256

    package init(_ pace: Pace = Pace()) { self.pace = pace }

    /// Takes the changes that arrived together; returns the activity to offer, if there is one.
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

    /// Takes the whole list, which says when each activity was changed, by the clock of its machine.
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

    /// Takes the state of an activity of this machine.
    private mutating func noticeUse(_ summary: ActivitySummary, at now: MonotonicTime) -> ActivitySummary? {
        // An activity of this machine that another machine continues is unchanged, and does not count as use of this
        // machine.
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

    /// Takes the state of an activity of another machine; one that was sent here is offered immediately.
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
        // A shell is one activity for days, so it is offered again once its title names another folder.
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
