/// A thread that does jobs; it takes all pending jobs at once, so that the body can do them as a group.
///
/// Patient jobs are taken one at a time, in turn with groups of all other pending jobs, and never before a job that was
/// submitted earlier: a read sees all writes before it. So another job waits for at most one patient job, and no job
/// waits forever.
///
/// The factory runs on the new thread. It makes whatever may not change threads, such as a connection to a database,
/// which is released on that thread, too. The worker must be finished or released before the process ends.
package final class WorkerThread<Job: Sendable>: Sendable {
    /// Does jobs; made and used on the worker's thread only.
    package typealias Body = (consuming [Job]) -> Void

    /// The pending jobs.
    private struct Queue: Sendable {
        /// Jobs that the thread has not taken yet, oldest first.
        private var jobs: [Job] = []
        /// The patient jobs, oldest first, each with the number of other jobs that were submitted before it.
        private var patientJobs: [(job: Job, after: Int)] = []
        /// The number of jobs that the thread has taken, without patient ones.
        private var takenCount = 0
        /// True if it is a patient job's turn.
        private var isPatientNext = false
        /// True once jobs are refused.
        var isFinished = false
        /// True once a caller joins the thread.
        var isJoined = false

        /// Takes the next jobs; returns an empty array if the thread is to end, and nil if it is to wait.
        mutating func take() -> [Job]? {
            if jobs.isEmpty || isPatientNext, let first = patientJobs.first, first.after <= takenCount {
                isPatientNext = false
                return [patientJobs.removeFirst().job]
            }
            guard !jobs.isEmpty || isFinished else { return nil }
            // Before a patient job whose turn it is, only those are taken that it waits for.
            let most = isPatientNext ? patientJobs.first.map { $0.after - takenCount } : nil
            let taken = Array(jobs.prefix(most ?? jobs.count))
            jobs.removeFirst(taken.count)
            takenCount += taken.count
            isPatientNext = true
            return taken
        }

        mutating func append(_ job: Job, isPatient: Bool) {
            if isPatient {
                patientJobs.append((job, after: takenCount + jobs.count))
            } else {
                jobs.append(job)
            }
        }
    }

    /// The pending jobs; the thread holds the queue and not the worker, which could otherwise never be released.
    private let queue: Monitor<Queue>
    private let thread: SystemThread

    /// Starts the thread, on which the factory makes the body; the system shows the first 15 bytes of the name.
    package init(name: String, makeBody: @escaping @Sendable () -> Body) throws(NetworkError) {
        let queue = Monitor(Queue())
        self.queue = queue
        thread = try SystemThread(name: name) { Self.run(queue, makeBody) }
    }

    deinit { finish() }

    /// Submits a job; returns false, and drops the job, if the worker is finished.
    @discardableResult
    package func submit(_ job: Job, isPatient: Bool = false) -> Bool {
        queue.change { queue in
            guard !queue.isFinished else { return false }
            queue.append(job, isPatient: isPatient)
            return true
        }
    }

    /// Refuses further jobs, and returns when the pending ones are done and the thread has ended.
    ///
    /// The worker's own thread can't wait for itself: called there, it returns at once, and the thread ends later.
    package func finish() {
        let mustJoin = queue.change { queue in
            queue.isFinished = true
            defer { queue.isJoined = true }
            return !queue.isJoined
        }
        guard mustJoin else { return }
        if thread.isCurrent { thread.detach() } else { thread.join() }
    }

    /// Runs the thread, from its start to its end.
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
