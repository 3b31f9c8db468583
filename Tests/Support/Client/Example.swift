package import BatonCore

/// Examples of activities, devices and statuses.
package enum Example {
    package static let now = WallTime(milliseconds: 1_795_208_645_123)
    package static let present = PresentTime(now) { _ in 0 }
    package static let laptop = DeviceReference(
        identifier: DeviceIdentifier(high: 0x0123_4567_89ab_cdef, low: 1), name: "laptop", isHere: true)
    package static let desktop = DeviceReference(
        identifier: DeviceIdentifier(high: 0xfedc_ba98_7654_3210, low: 2), name: "desktop", isHere: false)
    package static let account = AccountIdentifier(high: 7, low: 7)

    /// An activity of a device.
    package static func summary(
        _ identifier: String = "k3v9q2mx7abc", device: DeviceReference = desktop, title: String? = "Report",
        info: [PropertyValue: PropertyValue] = [:]
    ) -> ActivitySummary {
        var activity = Activity(type: "org.example.editing", started: now.advanced(by: .seconds(-600)))
        activity.title = title
        activity.info = info
        activity.changed = now.advanced(by: .seconds(-180))
        return ActivitySummary(
            identifier: identifier, device: device, app: "org.baton.shell", instance: "console",
            activity: activity,
            continuedOn: nil)
    }

    /// A suggestion with reasons of all kinds.
    package static let suggestion = SuggestedActivity(
        summary(), score: 1.5,
        reasons: [
            .follows(times: 5, of: 7), .often(times: 12, mostly: WeekPart(.weekdays, .morning)),
            .now(times: 9, of: 12), .recent(now.advanced(by: .seconds(-7200))),
            .elsewhere(now.advanced(by: .seconds(-180))), .device(times: 3),
        ])

    /// The status of the desktop.
    package static func peer(connected: Bool = true, inStep: Bool = true, trouble: String? = nil)
        -> DeviceStatus
    {
        DeviceStatus(
            device: desktop, admitted: now.advanced(by: .seconds(-86_400)), isConnected: connected,
            isInStep: inStep,
            seen: nil, addresses: ["10.0.0.2:4817"], trouble: trouble)
    }

    /// The status of the laptop's node.
    package static func status(_ peers: [DeviceStatus], listening: String = "0.0.0.0:4817") -> NodeStatus {
        NodeStatus(
            account: account, device: laptop, build: "0.1.0", process: 4711, listening: listening,
            peers: peers,
            troubles: [])
    }
}
