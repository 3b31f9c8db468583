import BatonClient
import BatonCore
import Support
import Synchronization
import baton

/// The output and exit status of one run of the command.
struct Typed: Equatable {
    var status: Int32
    var output: String
    var errors: String
    /// The commands that would have replaced the process.
    var started: [[String]]

    /// Runs the command with an empty environment; a command that would not end is stopped once it has printed `end`.
    init(_ words: [String], width: Int? = nil, height: Int? = nil, until end: String? = nil) {
        let output = Mutex(""), errors = Mutex(""), started = Mutex<[[String]]>([])
        let console = Console(
            width: { width }, height: { height },
            output: { (text) throws(LocalFailure) in
                let all = output.withLock {
                    $0 += text
                    return $0
                }
                if let end, all.contains(end) { throw LocalFailure(.failed, "stopped") }
            },
            errors: { text in errors.withLock { $0 += text } })
        status = Program(
            console: console, environment: { _ in nil },
            start: { words in started.withLock { $0.append(words) } }
        ).run(words)
        (self.output, self.errors) = (output.withLock { $0 }, errors.withLock { $0 })
        self.started = started.withLock { $0 }
    }

    /// Runs the command on the home of a node.
    init(
        _ node: FakeNode, _ words: String..., width: Int? = nil, height: Int? = nil, until end: String? = nil
    ) {
        self.init(words + ["--home", node.folder.path], width: width, height: height, until: end)
    }
}

/// The failure that a closure throws, if it does.
func failure<Value: ~Copyable>(_ body: () throws(LocalFailure) -> Value) -> LocalFailure? {
    do throws(LocalFailure) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}

/// Examples of activities, devices and statuses.
enum Example {
    static let now = WallTime(milliseconds: 1_795_208_645_123)
    static let present = PresentTime(now) { _ in 0 }
    static let laptop = DeviceReference(
        identifier: DeviceIdentifier(high: 0x0123_4567_89ab_cdef, low: 1), name: "laptop", isHere: true)
    static let desktop = DeviceReference(
        identifier: DeviceIdentifier(high: 0xfedc_ba98_7654_3210, low: 2), name: "desktop", isHere: false)
    static let account = AccountIdentifier(high: 7, low: 7)

    /// An activity of a device.
    static func summary(
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
    static let suggestion = SuggestedActivity(
        summary(), score: 1.5,
        reasons: [
            .follows(times: 5, of: 7), .often(times: 12, mostly: WeekPart(.weekdays, .morning)),
            .now(times: 9, of: 12), .recent(now.advanced(by: .seconds(-7200))),
            .elsewhere(now.advanced(by: .seconds(-180))), .device(times: 3),
        ])

    /// The status of the desktop.
    static func peer(connected: Bool = true, inStep: Bool = true, trouble: String? = nil) -> DeviceStatus {
        DeviceStatus(
            device: desktop, admitted: now.advanced(by: .seconds(-86_400)), isConnected: connected,
            isInStep: inStep,
            seen: nil, addresses: ["10.0.0.2:4817"], trouble: trouble)
    }

    /// The status of the laptop's node.
    static func status(_ peers: [DeviceStatus], listening: String = "0.0.0.0:4817") -> NodeStatus {
        NodeStatus(
            account: account, device: laptop, build: "0.1.0", process: 4711, listening: listening,
            peers: peers,
            troubles: [])
    }
}
