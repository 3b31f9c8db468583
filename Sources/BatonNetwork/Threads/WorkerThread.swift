/// A thread that takes jobs, all that are pending at once, so that its user can do them as a group.
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
        /// True if nothing more is taken.
        var isFinished = false
        /// True if somebody has joined the thread, or is about to.
        var isJoined = false
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
    package func submit(_ job: Job) -> Bool {
        queue.change { queue in
            guard !queue.isFinished else { return false }
            queue.jobs.append(job)
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
                guard !queue.jobs.isEmpty || queue.isFinished else { return nil }
                let jobs = queue.jobs
                queue.jobs = []
                return jobs
            }
            if jobs.isEmpty { return }
            body(jobs)
        }
    }
}
