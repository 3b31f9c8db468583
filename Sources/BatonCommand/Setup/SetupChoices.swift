package import BatonCore

/// The parts of `baton setup`, in the order in which they are done.
package enum SetupPart: String, CaseIterable, Sendable {
    case account, service, shell, editors, browsers

    /// The name at the beginning of a line about the part.
    package var title: VisibleText {
        switch self {
        case .account: "Account"
        case .service: "Service"
        case .shell: "Shell"
        case .editors: "Editors"
        case .browsers: "Browsers"
        }
    }

    /// The names of all parts.
    package static var list: String { allCases.map(\.rawValue).joined(separator: ",") }
}

/// The choices that the options of `baton setup` make.
package struct SetupChoices: Equatable, Sendable {
    /// The account that the options choose.
    package enum Account: Equatable, Sendable {
        /// A new account, in which this machine has the name.
        case new(name: String)
        case joined(code: String, address: String?)
    }

    /// The account, or nil if the person is asked.
    package let account: Account?
    /// The parts to leave out.
    package let skipped: Set<SetupPart>
    /// Whether nothing is asked, because the answers that Enter takes are right.
    package let takesEnter: Bool
    package let isUndoing: Bool
    package let isForRoot: Bool

    /// Reads the options; throws if they contradict each other.
    package init(_ arguments: Arguments) throws(LocalFailure) {
        guard !arguments.has("json") else {
            throw LocalFailure(
                .usage, "`baton setup` talks to a person.\nLeave out --json, or type the single commands.")
        }
        let (new, code, address) = (arguments.value("new"), arguments.value("join"), arguments.value("at"))
        (takesEnter, isUndoing) = (arguments.has("yes"), arguments.has("undo"))
        isForRoot = arguments.has("as-root")
        guard new == nil || code == nil else {
            throw LocalFailure(
                .usage, "--new and --join can't be combined: a machine makes an account or joins one.")
        }
        guard address == nil || code != nil else {
            throw LocalFailure(.usage, "--at works with --join only.")
        }
        guard !isUndoing || new == nil && code == nil else {
            throw LocalFailure(.usage, "--undo changes no account. Leave out --new and --join.")
        }
        account = new.map { .new(name: $0) } ?? code.map { .joined(code: $0, address: address) }
        var skipped: Set<SetupPart> = []
        for name in arguments.values("skip").flatMap({ $0.split(separator: ",") }) {
            guard let part = SetupPart(rawValue: String(name)) else {
                throw LocalFailure(.usage, "Unknown part: \(name).\nThe parts are: \(SetupPart.list).")
            }
            skipped.insert(part)
        }
        guard account == nil || !skipped.contains(.account) else {
            throw LocalFailure(.usage, "--skip account can't be combined with --new or --join.")
        }
        self.skipped = skipped
    }
}
