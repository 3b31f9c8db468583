/// A thread that takes jobs, all that are pending at once, so that its user can do them as a group.
///
/// Patient jobs are taken one at a time, each behind all others that are pending then: so the others wait for one of
/// them at most, and none of either kind waits for ever.
///
/// What the body needs that may not change threads, such as a connection to a database, is made by the factory on
/// the new thread and released there. It is finished, or its owner lets go of it, before the process ends.
package final class WorkerThread<Job: Sendable>: Sendable {
    /// Does jobs; made and used on the worker's thread only.
    package typealias Body = (consuming [Job]) -> Void

    /// What waits for the thread.
    private struct Queue: Sendable {
        /// Submitted and not yet taken, oldest first.
        var jobs: [Job] = []
        var patientJobs: [Job] = []
        /// True if it is a patient job's turn.
        var isPatientNext = false
        /// True if nothing more is taken.
        var isFinished = false
        /// True if somebody has joined the thread, or is about to.
        var isJoined = false

        /// Takes what is to be done next; nothing if the thread is to end, nil if it is to wait.
        mutating func take() -> [Job]? {
            if jobs.isEmpty || isPatientNext, !patientJobs.isEmpty {
                isPatientNext = false
                return [patientJobs.removeFirst()]
            }
            guard !jobs.isEmpty || isFinished else { return nil }
            defer { (jobs, isPatientNext) = ([], true) }
            return jobs
        }
    }

    /// What waits for the thread; it holds this and not the worker, whose end would else never come.
    private let queue: Monitor<Queue>
    /// The thread.
    private let thread: SystemThread

    /// Starts the thread, on which the factory makes the body; the system shows 15 bytes of the name.
    package init(name: String, makeBody: @escaping @Sendable () -> Body) throws(NetworkError) {
        let queue = Monitor(Queue())
        self.queue = queue
        thread = try SystemThread(name: name) { Self.run(queue, makeBody) }
    }

    deinit { finish() }

    /// Leaves a job for the thread; false if the worker is finished and the job was dropped.
    @discardableResult
    package func submit(_ job: Job, isPatient: Bool = false) -> Bool {
        queue.change { queue in
            guard !queue.isFinished else { return false }
            if isPatient { queue.patientJobs.append(job) } else { queue.jobs.append(job) }
            return true
        }
    }

    /// Takes no more jobs, and returns when those submitted are done and the thread has ended.
    ///
    /// Called on the worker's own thread, which can't wait for itself, it only sees to it that the thread ends.
    package func finish() {
        let mustJoin = queue.change { queue in
            queue.isFinished = true
            defer { queue.isJoined = true }
            return !queue.isJoined
        }
        guard mustJoin else { return }
        if thread.isCurrent { thread.detach() } else { thread.join() }
    }

    /// What the thread does, from its start to its end.
    private static func run(_ queue: Monitor<Queue>, _ makeBody: () -> Body) {
        let body = makeBody()
        while true {
            let jobs = queue.wait { queue -> [Job]? in
                queue.take()
            }
            if jobs.isEmpty { return }
            body(jobs)
        }
    }
}
