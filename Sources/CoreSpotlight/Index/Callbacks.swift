import BatonNetwork
import Dispatch

/// The serial queue on which this module calls handlers, and methods of index delegates.
package enum Callbacks {
    private static let lane = PerProcess { Lane.next() }

    /// Calls the closure after all earlier closures.
    package static func call(_ body: @escaping @Sendable () -> Void) { lane.value.call(body) }

    /// The queue or the thread on which the closures are called.
    private enum Lane: Sendable {
        case queue(DispatchQueue)
        /// A thread, for a process that was forked while Dispatch was in use; Dispatch does not work in such a process.
        case thread(WorkerThread<@Sendable () -> Void>)

        private static let isUsed = Monitor(false)

        static func next() -> Lane {
            let isForked = isUsed.change { isUsed in
                defer { isUsed = true }
                return isUsed
            }
            guard isForked,
                let thread = try? WorkerThread<@Sendable () -> Void>(name: "baton-calls", makeBody: { doAll })
            else {
                return .queue(DispatchQueue(label: "org.baton.spotlight"))
            }
            return .thread(thread)
        }

        private static func doAll(_ bodies: consuming [@Sendable () -> Void]) {
            for body in bodies { body() }
        }

        func call(_ body: @escaping @Sendable () -> Void) {
            switch self {
            case .queue(let queue): queue.async(execute: body)
            case .thread(let thread): thread.submit(body)
            }
        }
    }
}
