import CoreSpotlight
import Testing

@Suite struct ImportTests {
    @Test func `importing CoreSpotlight alone also imports Foundation`() {
        #expect(Data([1]).count == 1)
    }
}
