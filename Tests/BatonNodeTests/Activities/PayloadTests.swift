import BatonCore
import BatonNode
import Support
import Testing

/// The data that apps attach to their activities.
@Suite struct `The payload of an activity` {
    @Test func `a payload with the largest number of values is accepted, and a larger one is refused`() throws
    {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        var change = ActivityChange()
        // The dictionary, its key and the array count as values, too.
        let most = PropertyLimits.payload.values - 3
        for count in [most, most + 1] {
            change.set = [.string("list"): .array([PropertyValue](repeating: .null, count: count))]
            let start = StartActivity(
                app: "org.example", instance: "1", lifetime: .untilFinished, type: "org.example.edit",
                change: change)
            switch try node.ask(start) {
            case .success: #expect(count == most)
            case .failure(let failure):
                #expect(count > most && failure.code == .tooLarge)
                #expect(failure.text.contains("more than \(PropertyLimits.payload.values) values"))
            }
        }
    }
}
