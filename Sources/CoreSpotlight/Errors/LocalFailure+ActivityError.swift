import BatonCore
import Foundation

extension LocalFailure {
    /// Whether no node accepted the call, because there is no suitable node or the connection to the node failed.
    var concernsConnection: Bool {
        switch code {
        case .failed, .noNode, .notInitialised, .versionMismatch, .unknownAccount: true
        default: false
        }
    }

    /// The failure as a Foundation error about activities.
    var activityError: CocoaError {
        let code: CocoaError.Code =
            switch self.code {
            case .tooLarge, .quota: .userActivityHandoffUserInfoTooLarge
            case .noNode, .notInitialised, .unreachable, .versionMismatch: .userActivityConnectionUnavailable
            case .failed, .streamBroken: .userActivityRemoteApplicationTimedOut
            default: .userActivityHandoffFailed
            }
        return CocoaError(code, userInfo: [NSLocalizedDescriptionKey: description])
    }
}
