import BatonCore
import BatonNetwork

/// Something that the thread of a client has to do.
enum NodeClientJob: Sendable {
    case ask(NodeQuestion)
    case listen(isLasting: Bool, @Sendable (NodeClient.Event) -> Void)
    case watch(ClientStateName)
    case acknowledged(ClientStateName)
    case seek
    case run(after: Duration, @Sendable () -> Void)
    case end
}

/// The jobs that the threads of a program give the thread of a client.
final class NodeClientInbox: Sendable {
    private let state = Monitor(State())

    private struct State: Sendable {
        var jobs: [NodeClientJob] = []
        var isStarted = false
        /// Whether the thread waits, so that the next job has to wake it.
        var isWaiting = false
        /// How many calls wait, here or with the thread.
        var waitingCount = 0
    }

    /// The outcome of adding a job.
    enum Addition: Sendable {
        /// The thread takes the job without being woken, or there is nothing to end.
        case added
        /// The thread must be started.
        case addedFirst
        /// The thread waits; it must be woken, unless the job is done without it.
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

    /// Takes the only job, if it is a call.
    func takeOnlyCall() -> NodeQuestion? {
        state.change { state in
            guard state.jobs.count == 1, case .ask(let question) = state.jobs[0] else { return nil }
            state.jobs = []
            return question
        }
    }

    /// Whether the thread may wait, because there is no job; the next one wakes it then.
    func mayWait() -> Bool {
        state.change { state in
            state.isWaiting = state.jobs.isEmpty
            return state.isWaiting
        }
    }

    /// Subtracts answered calls from the number of waiting calls.
    func noteAnswered(_ count: Int) {
        guard count > 0 else { return }
        state.change { $0.waitingCount -= count }
    }

    /// Takes all jobs after the thread could not be started.
    func reset() -> [NodeClientJob] {
        state.change { state in
            defer { state = State() }
            return state.jobs
        }
    }
}
