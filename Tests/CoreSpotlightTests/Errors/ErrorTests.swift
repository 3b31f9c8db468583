import CoreSpotlight
import Testing

@Suite struct `Errors of an index and a query` {
    private static func raise(_ error: any Error) throws { throw error }

    @Test func `are caught by their codes in a catch clause`() throws {
        var caught: [String] = []
        for error in [
            CSIndexError(.quotaExceeded), CSIndexError(.invalidItemError), CSSearchQueryError(.cancelled),
        ]
            as [any Error]
        {
            do {
                try Self.raise(error)
            } catch CSIndexError.quotaExceeded {
                caught.append("quota")
            } catch let error as CSIndexError where error.code == .invalidItemError {
                caught.append("item")
            } catch CSSearchQueryError.cancelled {
                caught.append("cancelled")
            }
        }
        #expect(caught == ["quota", "item", "cancelled"])
    }

    @Test func `are matched by their codes if they arrive as NSError`() {
        let error = NSError(domain: CSIndexErrorDomain, code: -1004)
        #expect(CSIndexError.quotaExceeded ~= error)
        #expect(!(CSIndexError.unknownError ~= error))
        #expect(!(CSSearchQueryError.cancelled ~= error))
        #expect(CSSearchQueryError.cancelled ~= NSError(domain: CSSearchQueryErrorDomain, code: -2003))
    }

    @Test func `have Apple's numbers and domains`() {
        let index = CSIndexError.Code.allCases.map { CSIndexError($0).errorCode }
        #expect(index == [-1, -1000, -1001, -1002, -1003, -1004, -1005, -1006])
        let query = CSSearchQueryError.Code.allCases.map { CSSearchQueryError($0).errorCode }
        #expect(query == [-2000, -2001, -2002, -2003])
        #expect(CSIndexError.errorDomain == "CSIndexErrorDomain")
        #expect(CSSearchQueryError.errorDomain == "CSSearchQueryErrorDomain")
    }

    @Test func `become an NSError with the same domain, code and information`() {
        let error = CSIndexError(.quotaExceeded, userInfo: [NSLocalizedDescriptionKey: "full", "more": 5])
        let other = error as NSError
        #expect(other.domain == "CSIndexErrorDomain" && other.code == -1004)
        #expect(other.userInfo["more"] as? Int == 5)
        #expect(other.localizedDescription == "full" && error.localizedDescription == "full")
        #expect(error.errorUserInfo["more"] as? Int == 5 && error.userInfo["more"] as? Int == 5)
    }

    @Test func `are equal if their codes and user info are equal`() {
        #expect(CSIndexError(.unknownError) == CSIndexError(.unknownError))
        #expect(CSIndexError(.unknownError) != CSIndexError(.quotaExceeded))
        #expect(CSIndexError(.unknownError).hashValue == CSIndexError(.unknownError).hashValue)
    }
}
