import MobileCoreServices
import Testing

@Suite struct ImportTests {
    @Test func `importing an older module also imports Foundation`() {
        #expect(Data([1]).count == 1)
    }
}
