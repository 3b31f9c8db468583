import BatonCore
import BatonNetwork

/// A job for a client's thread.
enum NodeClientJob: Sendable {
    case ask(NodeQuestion)
    case listen(isLasting: Bool, @Sendable (NodeClient.Event) -> Void)
    case watch(ClientStateName)
    case acknowledged(ClientStateName)
    case seek
    case run(after: Duration, @Sendable () -> Void)
    case end
}

/// The jobs that the program's threads have posted for the client's thread.
final class NodeClientInbox: Sendable {
    private let state = Monitor(State())

    private struct State: Sendable {
        var jobs: [NodeClientJob] = []
        var isStarted = false
        /// Whether the client's thread waits, so that the next job has to wake it.
        var isWaiting = false
        /// The number of unanswered calls, both in `jobs` and already taken by the client's thread.
        var waitingCount = 0
    }

    /// The outcome of adding a job.
    enum Addition: Sendable {
        /// The client's thread takes the job without being woken, or there is no thread to end.
        case added
        /// The job is the first one, so the thread must be started.
        case addedFirst
        /// The thread waits, so it must be woken unless the caller does the job itself.
        case addedWhileWaiting
        /// Too many calls wait; the job was not added.
        case full
    }

    /// Adds a job for the thread.
    func add(_ job: NodeClientJob) -> Addition {
        state.change { state in
            if case .end = job, !state.isStarted { return .added }
            if case .ask = job {
                guard state.waitingCount < NodeClient.queuedMost else { return .full }
                state.waitingCount += 1
            }
            state.jobs.append(job)
            defer { (state.isStarted, state.isWaiting) = (true, false) }
            return state.isStarted ? (state.isWaiting ? .addedWhileWaiting : .added) : .addedFirst
        }
    }

    /// Takes all jobs.
    func takeJobs() -> [NodeClientJob] {
        state.change { state in
            defer { (state.jobs, state.isWaiting) = ([], false) }
            return state.jobs
        }
    }

    /// Takes the only job, if there is just one and it is a call; otherwise, takes nothing.
    func takeOnlyCall() -> NodeQuestion? {
        state.change { state in
            guard state.jobs.count == 1, case .ask(let question) = state.jobs[0] else { return nil }
            state.jobs = []
            return question
        }
    }

    /// Whether the thread may wait because there is no job; after that, the next job has to wake the thread.
    func mayWait() -> Bool {
        state.change { state in
            state.isWaiting = state.jobs.isEmpty
            return state.isWaiting
        }
    }

    /// Subtracts the number of newly answered calls from the number of waiting calls.
    func noteAnswered(_ count: Int) {
        guard count > 0 else { return }
        state.change { $0.waitingCount -= count }
    }

    /// Takes all jobs, and resets the inbox, after the thread could not be started.
    func reset() -> [NodeClientJob] {
        state.change { state in
            defer { state = State() }
            return state.jobs
        }
    }
}
