import BatonClient
import BatonCore
import Dispatch
public import Foundation

extension NSUserActivity {
    /// Opens streams to the app on the machine from which this activity was continued.
    ///
    /// Call this on an activity that this app continues, and whose `supportsContinuationStreams` is true. The handler
    /// gets one stream for each direction, or an error in `NSCocoaErrorDomain`. The streams are not open yet. The
    /// handler is called like other callbacks (``BatonApplication/callbackQueue``). The streams are flow-controlled: if
    /// the reader is slow, the writer has to wait. Closing the output ends only this direction. Keep the program alive
    /// until both streams have ended.
    public func getContinuationStreams(
        completionHandler: @escaping @Sendable (InputStream?, OutputStream?, (any Error)?) -> Void
    ) {
        openStreams { result in
            BatonApplication.shared.callbacks.call {
                switch result.value {
                case .success(let (input, output)): completionHandler(input, output, nil)
                case .failure(let error): completionHandler(nil, nil, error)
                }
            }
        }
    }

    /// Opens streams to the app on the machine from which this activity was continued.
    ///
    /// The streams that are returned are not open yet. Errors are in `NSCocoaErrorDomain`.
    nonisolated(nonsending) public func continuationStreams() async throws -> (InputStream, OutputStream) {
        let result = await withCheckedContinuation { continuation in
            openStreams { continuation.resume(returning: $0) }
        }
        return try result.value.get()
    }

    /// Opens the streams on another thread, because the other machine may take seconds to answer.
    ///
    /// The result is `Unchecked`, because the streams are new and nobody else uses them.
    private func openStreams(
        then: @escaping @Sendable (Unchecked<Result<(InputStream, OutputStream), CocoaError>>) -> Void
    ) {
        guard let continued = core.continued else {
            return then(
                Unchecked(
                    .failure(
                        CocoaError(
                            .userActivityHandoffFailed,
                            userInfo: [
                                NSLocalizedDescriptionKey:
                                    "Only an activity that was continued here has streams to another app."
                            ]))))
        }
        let home = BatonApplication.shared.home
        DispatchQueue.global().async {
            do throws(LocalFailure) {
                let stream = try AppStream.open(.named(continued.identifier), in: home)
                then(Unchecked(.success((ContinuationInputStream(stream), ContinuationOutputStream(stream)))))
            } catch {
                then(Unchecked(.failure(error.activityError)))
            }
        }
    }
}

extension BatonApplication {
    /// Accepts the streams that another device requested, and passes them to the activity's delegate.
    func acceptStreams(_ event: UInt64, for core: ActivityCore) {
        let home = home
        DispatchQueue.global().async { [self] in
            do throws(LocalFailure) {
                let stream = try AppStream.accept(event, in: home)
                call(delegateOf: core) {
                    core.hand(ContinuationInputStream(stream), ContinuationOutputStream(stream))
                }
            } catch  where error.code == .notFound {
                // The other device has given up before this.
            } catch {
                log.fault("A continuation stream could not be accepted. \(error)")
            }
        }
    }
}
