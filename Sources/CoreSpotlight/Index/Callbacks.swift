import BatonNetwork
import Dispatch

/// The serial queue on which this module calls handlers and the delegates of indexes.
package enum Callbacks {
    private static let lane = PerProcess { Lane.next() }

    /// Calls the closure after all earlier closures.
    package static func call(_ body: @escaping @Sendable () -> Void) { lane.value.call(body) }

    /// A place where the closures are called.
    private enum Lane: Sendable {
        case queue(DispatchQueue)
        /// Dispatch does not work in a child that was forked while Dispatch was in use, so such a child has a thread.
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
