import CoreSpotlight
import Testing

@Suite struct ImportTests {
    @Test func `importing CoreSpotlight alone brings Foundation along`() {
        #expect(Data([1]).count == 1)
    }
}
