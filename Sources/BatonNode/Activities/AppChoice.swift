import BatonCore
import BatonNetwork

/// Makes one of the connected instances of an app open an item or a search.
///
/// The instances are asked one after the other, and the newest instance is asked first. The next instance is asked only
/// if the previous one does not confirm in time. This keeps instances from opening the same thing twice. The object
/// belongs to the loop's thread.
struct AppChoice {
    private let opening: AppOpening
    private let registry: AppRegistry
    private let account: AccountCore
    private let answer: Answer<OpenedReply>

    init(
        _ opening: AppOpening, among registry: AppRegistry, of account: AccountCore,
        _ answer: @escaping Answer<OpenedReply>
    ) {
        self.opening = opening
        self.registry = registry
        self.account = account
        self.answer = answer
    }

    func begin() {
        let instances = registry.instances(of: opening.app, taking: opening.type)
        guard !instances.isEmpty else { return answer(.failure(notRunning)) }
        ask(instances.prefix(Limits.askedInstances))
    }

    /// Asks the first of these instances.
    ///
    /// If the first instance does not confirm, asks the next one.
    private func ask(_ instances: ArraySlice<AppRegistration>) {
        guard let instance = instances.first else {
            // All asked instances may have disconnected in the meantime. In this case, the person has to start the app.
            let isRunning = !registry.instances(of: opening.app, taking: opening.type).isEmpty
            return answer(.failure(isRunning ? silent : notRunning))
        }
        // The instance may have disconnected while another instance was asked.
        guard let events = registry.events(of: instance.name), !account.isStopped else {
            return ask(instances.dropFirst())
        }
        events.open(
            opening, in: instance.name.instance, within: account.limits.appOpeningTime, on: account.loop
        ) { isConfirmed in
            if isConfirmed { return answer(.success(OpenedReply(instance))) }
            ask(instances.dropFirst())
        }
    }

    // MARK: Failures

    private var notRunning: LocalFailure {
        let doing =
            switch opening {
            case .item: "opens its items"
            case .search: "takes over searches"
            }
        return LocalFailure(
            .notFound, "No running instance of \(opening.app) on this machine \(doing).\nStart the app first."
        )
    }

    private var silent: LocalFailure {
        LocalFailure(
            .failed,
            """
            \(opening.app) is running, but did not confirm within \(account.limits.appOpeningTime) that it opens this.
            Look at the app, or restart it, and try again.
            """)
    }
}
