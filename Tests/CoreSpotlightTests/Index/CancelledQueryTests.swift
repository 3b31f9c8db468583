import CoreSpotlight
import Foundation
import Testing

@Suite struct `A query that is cancelled` {
    @Test func `calls its completion handler once with an error, even if it is started afterwards`() {
        for query in [
            CSSearchQuery(queryString: "*", queryContext: nil),
            CSUserQuery(userQueryString: "words", userQueryContext: nil),
        ] {
            let told = DispatchSemaphore(value: 0)
            query.completionHandler = { error in
                if let error, CSSearchQueryError.cancelled ~= error { told.signal() }
            }
            query.cancel()
            for _ in 0..<2 { query.start() }
            #expect(told.wait(timeout: .now() + 20) == .success)
            #expect(told.wait(timeout: .now()) == .timedOut)
        }
    }
}
