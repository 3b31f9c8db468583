/// How much memory requests can take, as far as their first bytes tell.
extension LocalRequest {
    /// How much memory a request may take.
    package enum Weight: Equatable, Sendable {
        /// A short question about the node, which is always answered.
        case control
        /// It is answered when something happens, and until then takes nothing.
        case wait
        /// It reads or changes an activity, or something small.
        case ordinary
        /// Its answer may fill a frame.
        case list
        /// It changes an index, and may fill a frame itself.
        case index

        /// How many bytes its answer may have.
        private var answerBytes: Int {
            switch self {
            case .control, .wait: 0
            case .ordinary, .index: 2 * Limits.activityBytes
            case .list: Limits.frameBytes
            }
        }

        /// How many bytes of memory a request of that many bytes can take until it was answered: many small values take
        /// forty times their bytes.
        package func memory(for byteCount: Int) -> Int {
            if byteCount <= Self.smallBytes, self == .control || self == .wait { return 0 }
            let bound = self == .index ? Limits.indexPortionBytes : Limits.requestBytes
            return answerBytes + Self.spread * min(byteCount, bound)
        }

        private static let spread = 40
        private static let smallBytes = 256
    }

    /// The number and the weight of the request in a frame.
    package static func outline(_ frame: Frame) throws(CloseReason) -> (number: UInt64, weight: Weight) {
        guard frame.kind == .localRequest else {
            throw CloseReason(.unexpected, "\(frame.kind) is no request")
        }
        var reader = CBORReader(frame.body)
        do throws(CBORError) {
            try reader.array(count: 3)
            return (try reader.unsigned(), weight(ofNumber: try reader.unsigned()))
        } catch {
            throw CloseReason(error, in: frame.kind)
        }
    }
}
