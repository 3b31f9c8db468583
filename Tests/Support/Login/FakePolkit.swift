import BatonLogin
import Synchronization

/// polkit as a test wants it: it answers at once, and asks nobody.
package final class FakePolkit: Sendable {
    /// The person's answer.
    package enum Person: Sendable {
        case proves, fails, dismisses, isAway, isNotAsked, isAllowedAll, isUnknown
    }

    private let asked: Asked
    private let service: FakeBusService

    /// The calls, which the thread of the service notes.
    private final class Asked: Sendable {
        let actions = Mutex<[String]>([])
        let subjects = Mutex<[String]>([])
    }

    /// Answers on a bus.
    package init(on bus: PrivateBus, _ person: Person) throws {
        let asked = Asked()
        self.asked = asked
        service = try FakeBusService("org.freedesktop.PolicyKit1", at: bus.address) { _, method, arguments in
            guard method == "CheckAuthorization", arguments.count == 5,
                let subject = arguments[0].parts, let action = arguments[1].text
            else { return .error(name: "org.freedesktop.DBus.Error.InvalidArgs", message: "Wrong call.") }
            // The first call only asks whether a question is needed.
            let isInteractive = arguments[3].number == 1
            guard isInteractive || person == .isAllowedAll || person == .isUnknown else {
                return Self.result(false, true)
            }
            asked.actions.withLock { $0.append(action) }
            asked.subjects.withLock { $0.append(subject.first?.text ?? "") }
            return Self.answer(person, action)
        }
    }

    /// The actions that polkit was asked for, in order.
    package var actions: [String] { asked.actions.withLock { $0 } }
    /// The kinds of subjects, in order.
    package var subjects: [String] { asked.subjects.withLock { $0 } }

    private static func result(
        _ isAuthorized: Bool, _ isChallenge: Bool, _ details: [BusValue] = []
    ) -> FakeBusService.Reply {
        .values([.structure([.flag(isAuthorized), .flag(isChallenge), .list(details, of: "{ss}")])])
    }

    private static func answer(_ person: Person, _ action: String) -> FakeBusService.Reply {
        switch person {
        case .proves, .isAllowedAll: result(true, false)
        case .fails: result(false, false)
        case .dismisses: result(false, false, [.entry(.text("polkit.dismissed"), .text("true"))])
        case .isAway: .silence
        case .isNotAsked: result(false, true)
        case .isUnknown:
            .error(
                name: "org.freedesktop.PolicyKit1.Error.Failed",
                message: "Action \(action) is not registered")
        }
    }
}
