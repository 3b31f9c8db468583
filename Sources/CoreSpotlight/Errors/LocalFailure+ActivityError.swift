import BatonCore
import Foundation

extension LocalFailure {
    /// Whether no node received the call: there is none, or the connection to it failed.
    var concernsConnection: Bool {
        switch code {
        case .failed, .noNode, .notInitialised, .versionMismatch, .unknownAccount: true
        default: false
        }
    }

    /// The failure as an error of Foundation about activities.
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
