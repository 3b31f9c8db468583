import MobileCoreServices
import Testing

@Suite struct ImportTests {
    @Test func `importing a historic module brings Foundation along`() {
        #expect(Data([1]).count == 1)
    }
}
