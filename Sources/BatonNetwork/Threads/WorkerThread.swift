/// A thread that does jobs.
///
/// Jobs are taken in groups: the thread takes all pending jobs at once, so that the body can do them together.
///
/// A job that is submitted as patient is done alone. While other jobs are pending, the thread does at most one patient
/// job between two groups of other jobs. A patient job is never done before a job that was submitted earlier. So a
/// patient read sees all earlier writes. Another job waits for at most one patient job, and no job waits forever.
///
/// The factory runs on the new thread, and makes the body there. Objects that must stay on one thread, such as a
/// connection to a database, are also released on that thread. The worker must be finished or released before the
/// process ends.
package final class WorkerThread<Job: Sendable>: Sendable {
    /// Does the jobs; it is made and used only on the worker's thread.
    package typealias Body = (consuming [Job]) -> Void

    /// The pending jobs.
    private struct Queue: Sendable {
        /// Jobs that the thread has not taken yet, oldest first.
        private var jobs: [Job] = []
        /// The patient jobs, oldest first; `after` is the number of other jobs that were submitted before the job.
        private var patientJobs: [(job: Job, after: Int)] = []
        /// The number of jobs that the thread has taken, not counting patient jobs.
        private var takenCount = 0
        /// True if a patient job may be taken next.
        private var isPatientNext = false
        /// True once no more jobs are accepted.
        var isFinished = false
        /// True once a caller has begun to join the thread.
        var isJoined = false

        /// Takes the next jobs; returns an empty array if the thread has to end, and nil if it has to wait.
        mutating func take() -> [Job]? {
            if jobs.isEmpty || isPatientNext, let first = patientJobs.first, first.after <= takenCount {
                isPatientNext = false
                return [patientJobs.removeFirst().job]
            }
            guard !jobs.isEmpty || isFinished else { return nil }
            // If a patient job is next, take only the jobs that were submitted before it.
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

    /// The pending jobs.
    ///
    /// The thread holds this queue and not the worker; otherwise, the worker could never be released.
    private let queue: Monitor<Queue>
    private let thread: SystemThread

    /// Starts the thread, on which the factory makes the body; the system shows the first 15 bytes of the name.
    package init(name: String, makeBody: @escaping @Sendable () -> Body) throws(NetworkError) {
        let queue = Monitor(Queue())
        self.queue = queue
        thread = try SystemThread(name: name) { Self.run(queue, makeBody) }
    }

    deinit { finish() }

    /// Submits a job; if the worker is finished, drops the job and returns false.
    @discardableResult
    package func submit(_ job: Job, isPatient: Bool = false) -> Bool {
        queue.change { queue in
            guard !queue.isFinished else { return false }
            queue.append(job, isPatient: isPatient)
            return true
        }
    }

    /// Refuses further jobs, and waits until the pending jobs are done and the thread has ended.
    ///
    /// The worker's own thread can't wait for itself. If this is called on that thread, it returns at once, and the
    /// thread ends later.
    package func finish() {
        let mustJoin = queue.change { queue in
            queue.isFinished = true
            defer { queue.isJoined = true }
            return !queue.isJoined
        }
        guard mustJoin else { return }
        if thread.isCurrent { thread.detach() } else { thread.join() }
    }

    /// The code that runs on the thread, from its start to its end.
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
